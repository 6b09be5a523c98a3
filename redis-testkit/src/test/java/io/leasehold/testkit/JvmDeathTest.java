package io.leasehold.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.File;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers of another JVM, whose class path holds the testkit and the binary and nothing else: in
 * passing this shows that Testcontainers is not needed for a process.
 */
class JvmDeathTest {

  private static final Duration BOUND = Duration.ofSeconds(5);

  private final Path temporary;

  JvmDeathTest(@TempDir Path temporary) {
    this.temporary = temporary;
  }

  @Test
  void a_server_dies_with_its_jvm_when_that_is_killed() throws Exception {
    dies_with_its_killed_jvm();
  }

  @Test
  void a_paused_server_dies_with_its_jvm_when_that_is_killed() throws Exception {
    dies_with_its_killed_jvm("paused");
  }

  @Test
  void a_server_that_nobody_closed_is_gone_with_its_directory_when_its_jvm_exits()
      throws Exception {
    Process jvm = start();
    try (BufferedReader output = jvm.inputReader(UTF_8)) {
      long pid = Long.parseLong(output.readLine());
      Path directory = Path.of(output.readLine());
      assertThat(directory).isDirectory();
      jvm.outputWriter(UTF_8).close();
      assertThat(jvm.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(jvm.exitValue()).isZero();
      await().atMost(BOUND).until(() -> !Processes.exist(pid));
      assertThat(directory).doesNotExist();
      assertThat(temporary).isEmptyDirectory();
    } finally {
      jvm.destroyForcibly();
    }
  }

  private void dies_with_its_killed_jvm(String... arguments) throws Exception {
    Process jvm = start(arguments);
    try (BufferedReader output = jvm.inputReader(UTF_8)) {
      long pid = Long.parseLong(output.readLine());
      assertThat(Processes.exist(pid)).isTrue();
      List<Long> watchers =
          ProcessHandle.of(pid).orElseThrow().children().map(ProcessHandle::pid).toList();
      assertThat(watchers).hasSize(1);
      jvm.toHandle().destroyForcibly();
      await().atMost(BOUND).until(() -> !Processes.exist(pid));
      await().atMost(BOUND).until(() -> watchers.stream().noneMatch(Processes::exist));
    } finally {
      jvm.destroyForcibly();
    }
  }

  private Process start(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m"));
    command.add("-Djava.io.tmpdir=" + temporary);
    command.addAll(List.of("-cp", classPath(), ServerInAnotherJvm.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static String classPath() throws Exception {
    URL binary =
        Objects.requireNonNull(
            RedisBinary.class.getResource("/" + RedisVersion.V7_0.resource("Linux", "amd64")));
    URL jar = ((JarURLConnection) binary.openConnection()).getJarFileURL();
    List<URL> places =
        List.of(
            RedisServer.class.getProtectionDomain().getCodeSource().getLocation(),
            ServerInAnotherJvm.class.getProtectionDomain().getCodeSource().getLocation(),
            jar);
    List<String> paths = new ArrayList<>();
    for (URL place : places) {
      Path path = Path.of(place.toURI());
      assertThat(Files.exists(path)).isTrue();
      paths.add(path.toString());
    }
    return String.join(File.pathSeparator, paths);
  }
}
