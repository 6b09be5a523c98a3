package io.leasehold.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.ctl.Ctl.Ended;
import io.leasehold.testkit.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code lockctl} and the jar that was packaged. */
class LauncherTest {
  private static final Path SCRIPT = Path.of("..", "lockctl").toAbsolutePath().normalize();

  private static RedisServer server;

  @BeforeAll
  static void startServer() {
    assertThat(Path.of("target", "lockctl.jar")).isRegularFile();
    server = RedisServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  private static Ended run(Path script, Map<String, String> environment, String... words) {
    List<String> all = new ArrayList<>(List.of(script.toString()));
    all.addAll(Arrays.asList(words));
    try (Ctl ctl = Ctl.startProcess(all, environment, Path.of("/dev/null"))) {
      return ctl.await();
    }
  }

  private static Map<String, String> environment(String locale) {
    return Map.of(
        "LOCKCTL_REBUILD",
        "0",
        "LC_ALL",
        locale,
        "LEASEHOLD_URL",
        "lock:redis://127.0.0.1:" + server.port() + Ctl.PATIENT);
  }

  @Test
  void everyDriverIsInTheJarAndWorks() {
    for (String driver : List.of("jedis", "lettuce", "vertx")) {
      Ended ended =
          run(
              SCRIPT,
              environment("C"),
              "run",
              "--provider",
              driver,
              "-l",
              "a",
              "--",
              "echo",
              driver);
      assertThat(ended).isEqualTo(new Ended(0, driver + "\n", ""));
    }
    assertThat(run(SCRIPT, environment("C"), "providers", "--json").out())
        .contains("\"jedis\"", "\"lettuce\"", "\"vertx\"", "\"redlock\"", "\"memory\"");
  }

  @Test
  void aNameMeansTheSameLockInEveryLocale(@TempDir Path folder) throws Exception {
    String script = "echo \"$LEASEHOLD_LOCK\" \"$0\" $LC_ALL; LC_ALL=C.UTF-8 \"$1\" list '每*'";
    // Written by a shell: this JVM may not be able to.
    String words = "exec \"$0\" run --lock 每晚 -- sh -c \"$(cat \"$1\")\" größe \"$0\"";
    Path shell = Files.writeString(folder.resolve("shell"), words);
    Path inner = Files.writeString(folder.resolve("inner"), script);
    try (Ctl ctl =
        Ctl.startProcess(
            List.of("sh", "-c", ". \"$2\"", SCRIPT.toString(), inner.toString(), shell.toString()),
            environment("C"),
            Path.of("/dev/null"))) {
      Ended ended = ctl.await();
      assertThat(ended.err()).isEmpty();
      assertThat(ended.out()).startsWith("每晚 größe C\n").contains("\n每晚 ");
    }
  }

  @Test
  void aLinkToTheScriptWorksFromAnywhere(@TempDir Path folder) throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("lockctl"), SCRIPT);
    assertThat(run(link, environment("C"), "--version").out()).startsWith("lockctl ");
    assertThat(run(link, environment("C"), "run", "-l", "b", "sh", "-c", "exit 9").code())
        .isEqualTo(9);
    Files.delete(link);
  }
}
