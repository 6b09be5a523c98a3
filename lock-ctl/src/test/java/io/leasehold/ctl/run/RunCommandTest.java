package io.leasehold.ctl.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.ctl.Ctl;
import io.leasehold.ctl.Ctl.Ended;
import io.leasehold.ctl.ExitCodes;
import io.leasehold.testkit.RedisServer;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a command gets, and how lockctl ends. */
class RunCommandTest {
  private static RedisServer server;

  private final Path folder;
  private final String lock = "lock-" + UUID.randomUUID();

  RunCommandTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeAll
  static void startServer() {
    server = RedisServer.builder().password("s3cret-pw").start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  private static String url() {
    return "lock:redis://:s3cret-pw@127.0.0.1:" + server.port() + Ctl.PATIENT;
  }

  private static LockClient open() {
    return Locks.open(url().replace("lock:redis", "lock:jedis:redis"));
  }

  private Ended run(String... more) {
    return run(Map.of("LEASEHOLD_URL", url()), more);
  }

  private Ended run(Map<String, String> environment, String... more) {
    return ended(start(environment, more));
  }

  private Ctl start(String... more) {
    return start(Map.of("LEASEHOLD_URL", url()), more);
  }

  private Ctl start(Map<String, String> environment, String... more) {
    List<String> words = new ArrayList<>(List.of("run", "--lock", lock));
    words.addAll(List.of(more));
    return Ctl.start(environment, words.toArray(String[]::new));
  }

  private static Ended ended(Ctl started) {
    try (Ctl ctl = started) {
      Ended ended = ctl.await();
      assertThat(ended.err() + ended.out()).doesNotContain("s3cret").doesNotContain("\tat ");
      return ended;
    }
  }

  @Test
  void theCommandHasItsTokenItsLockItsInputAndItsArguments() throws Exception {
    Path input = Files.writeString(folder.resolve("input"), "from outside\n");
    String script = "cat; echo $LEASEHOLD_LOCK $LEASEHOLD_FENCING_TOKEN \"$0\" \"$1\"";
    try (Ctl ctl =
        Ctl.start(
            Map.of("LEASEHOLD_URL", url()),
            input,
            "run",
            "--lock",
            lock,
            "--",
            "sh",
            "-c",
            script,
            "--url",
            "@two words")) {
      Ended ended = ctl.await();
      assertThat(ended.code()).as(ended.err()).isZero();
      assertThat(ended.err()).isEmpty();
      assertThat(ended.out())
          .matches("from outside\n" + lock + " [1-9]\\d{14,} --url @two words\n");
    }
    try (LockClient client = open()) {
      assertThat(client.inspect(lock).holder()).isEmpty();
    }
  }

  @Test
  void itEndsAsTheCommandEnds() {
    // Without --, too: what stands after the command is the command's.
    assertThat(run("sh", "-c", "exit 7").code()).isEqualTo(7);
    assertThat(run("--", "sh", "-c", "kill -9 $$").code()).isEqualTo(137);
  }

  @Test
  void aBusyLockIsOneOrWhatThePersonSays() {
    Path witness = folder.resolve("witness");
    try (LockClient client = open();
        Lease lease = client.lock(lock).tryAcquire().orElseThrow()) {
      Ended ended = run("-n", "--", "touch", witness.toString());
      assertThat(ended.code()).isEqualTo(ExitCodes.NO);
      assertThat(ended.err()).isEqualTo("lockctl: the lock '" + lock + "' is busy\n");
      ended = run("--wait", "100ms", "-E", "42", "--json", "--", "touch", witness.toString());
      assertThat(ended.code()).isEqualTo(42);
      JsonObject told = new JsonObject(ended.err());
      assertThat(told.getString("event")).isEqualTo("busy");
      assertThat(told.getString("lock")).isEqualTo(lock);
      ended = run("-n", "-q", "--", "touch", witness.toString());
      assertThat(ended).isEqualTo(new Ended(1, "", ""));
      assertThat(lease.isHeld()).isTrue();
    }
    assertThat(witness).doesNotExist();
  }

  @Test
  void aCommandThatCannotRunTakesNoLock() throws Exception {
    try (LockClient client = open();
        Lease lease = client.lock(lock).tryAcquire().orElseThrow()) {
      Ended ended = run("--", "no-such-command-anywhere");
      assertThat(ended.code()).isEqualTo(ExitCodes.NOT_FOUND);
      assertThat(ended.err()).isEqualTo("lockctl: no-such-command-anywhere: command not found\n");
      Path plain = Files.writeString(folder.resolve("plain"), "text");
      assertThat(run("--", plain.toString()).code()).isEqualTo(ExitCodes.NOT_EXECUTABLE);
      assertThat(run("--", folder.toString()).code()).isEqualTo(ExitCodes.NOT_EXECUTABLE);
      assertThat(lease.isHeld()).isTrue();
    }
  }

  @Test
  void whatIsWrongWithTheCommandLineIsOneLineAndSixtyFour() {
    List<Ctl> all =
        List.of(
            start("--grace", "20s", "--", "true"),
            start("--lease", "100ms", "--", "true"),
            start("--lease", "10", "--", "true"),
            start("--lease", "2h", "--", "true"),
            start("-E", "999", "--", "true"),
            start("--no-such-option", url(), "--", "true"),
            start(),
            start(Map.of(), "--", "true"),
            start(Map.of("LEASEHOLD_URL", "redis://:s3cret@h"), "--", "true"),
            start(Map.of("LEASEHOLD_URL", url() + "&nonsense=1"), "--", "true"),
            start(Map.of("LEASEHOLD_URL", url().replace("lock:", "lock:nobody:")), "--", "true"));
    assertThat(all.stream().map(RunCommandTest::ended))
        .allSatisfy(
            ended -> {
              assertThat(ended.code()).as(ended.err()).isEqualTo(ExitCodes.USAGE);
              assertThat(ended.err()).startsWith("lockctl: ").hasLineCount(1);
              assertThat(ended.out()).isEmpty();
            });
  }

  @Test
  void noServerIsUnavailable() {
    String nobody = "lock:redis://:s3cret-pw@127.0.0.1:1";
    Ended ended = run(Map.of("LEASEHOLD_URL", nobody), "--json", "--", "true");
    assertThat(ended.code()).isEqualTo(ExitCodes.UNAVAILABLE);
    assertThat(new JsonObject(ended.err()).getInteger("exitCode")).isEqualTo(69);
    String wrong = url().replace("s3cret-pw", "s3cret-no");
    ended = run(Map.of("LEASEHOLD_URL", wrong), "--", "true");
    assertThat(ended.code()).isEqualTo(ExitCodes.UNAVAILABLE);
  }

  @Test
  void theUrlMayBeInAFile() throws Exception {
    Path file = Files.writeString(folder.resolve("url"), url() + "\n");
    Ended ended = run(Map.of(), "--url-file", file.toString(), "--", "echo", "hello");
    assertThat(ended).isEqualTo(new Ended(0, "hello\n", ""));
    ended = run(Map.of(), "--url-file", folder.resolve("none").toString(), "--", "true");
    assertThat(ended.code()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void aSignalWhileItWaitsEndsItAndNothingIsHeld() {
    try (LockClient client = open();
        Lease lease = client.lock(lock).tryAcquire().orElseThrow();
        Ctl waiting =
            Ctl.start(Map.of("LEASEHOLD_URL", url()), "run", "-l", lock, "-w", "5m", "true")) {
      await().atMost(Ctl.PATIENCE).until(() -> client.inspect(lock).waiters() > 0);
      waiting.signal("TERM");
      assertThat(waiting.await()).isEqualTo(new Ended(143, "", ""));
      lease.release();
      assertThat(client.inspect(lock).holder()).isEmpty();
    }
  }

  @Test
  void signalsArePassedOn() {
    Heartbeat beats = new Heartbeat(folder.resolve("beats"));
    for (String name : List.of("HUP", "INT", "USR2")) {
      String trap = "trap 'echo got " + name + "; exit 5' " + name + ";";
      List<String> words = new ArrayList<>(List.of("run", "--lock", lock + name, "--"));
      words.addAll(beats.beating(trap));
      long before = beats.beats();
      try (Ctl ctl = Ctl.start(Map.of("LEASEHOLD_URL", url()), words.toArray(String[]::new))) {
        await().atMost(Ctl.PATIENCE).until(() -> beats.beats() > before);
        ctl.signal(name);
        Ended ended = ctl.await();
        assertThat(ended).isEqualTo(new Ended(5, "got " + name + "\n", ""));
      }
    }
  }
}
