package io.leasehold.benchmarks.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Another JVM with the class path of this one, that is talked to line by line. It ends with its
 * input, which is to say with this JVM, however that ends.
 */
final class ChildJvm implements AutoCloseable {
  /** What the reader puts last. */
  private static final String ENDED = "ended";

  private final Process process;
  private final BufferedWriter to;
  private final BlockingQueue<String> from = new LinkedBlockingQueue<>();

  private ChildJvm(Process process) {
    this.process = process;
    this.to = process.outputWriter(UTF_8);
    Thread reader = new Thread(() -> read(process.inputReader(UTF_8)), "child " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  private void read(BufferedReader lines) {
    try (Stream<String> all = lines.lines()) {
      all.forEach(from::add);
    } finally {
      from.add(ENDED);
    }
  }

  static ChildJvm start(Class<?> main, String maxHeap, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + maxHeap);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return new ChildJvm(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Says something. */
  void tell(String text) throws IOException {
    to.write(text);
    to.newLine();
    to.flush();
  }

  /**
   * Waits for an answer.
   *
   * @throws IllegalStateException if there is none, or one that tells of a failure
   */
  String answer(Duration within) throws InterruptedException {
    String line = from.poll(within.toMillis(), TimeUnit.MILLISECONDS);
    if (line == null || line.equals(ENDED) || line.startsWith("failed")) {
      throw new IllegalStateException("another process: " + (line == null ? "silent" : line));
    }
    return line;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
