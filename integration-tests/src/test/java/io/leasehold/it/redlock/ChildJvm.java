package io.leasehold.it.redlock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.tck.ProcessFaults;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM with the class path of this one, that is talked to line by line and ends with its
 * input.
 */
public final class ChildJvm implements AutoCloseable {
  private static final Duration BOUND = Duration.ofSeconds(120);

  private final Process process;
  private final BufferedReader from;
  private final BufferedWriter to;

  private ChildJvm(Process process) {
    this.process = process;
    this.from = process.inputReader(UTF_8);
    this.to = process.outputWriter(UTF_8);
  }

  /** Starts one. */
  public static ChildJvm start(Class<?> main, String... arguments) throws IOException {
    return start(List.of(), main, arguments);
  }

  /** Starts one with further options for the JVM, of which the last one counts. */
  public static ChildJvm start(List<String> options, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return new ChildJvm(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Waits for the next line. */
  public String line() throws Exception {
    CompletableFuture<String> next =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return String.valueOf(from.readLine());
              } catch (IOException e) {
                return e.toString();
              }
            });
    return next.get(BOUND.toSeconds(), TimeUnit.SECONDS);
  }

  /** Says something; a stopped process hears it when it goes on. */
  public void tell(String text) throws IOException {
    to.write(text);
    to.newLine();
    to.flush();
  }

  /** SIGSTOP: nothing of the process runs any more. */
  void stop() {
    ProcessFaults.of(process.toHandle()).stop();
  }

  /** SIGCONT. */
  void goOn() {
    ProcessFaults.of(process.toHandle()).resume();
  }

  /** Waits until it has ended, as it should. */
  public void awaitEnd() throws InterruptedException {
    assertThat(process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  @Override
  public void close() {
    process.destroyForcibly(); // SIGKILL, which ends a stopped one too
  }
}
