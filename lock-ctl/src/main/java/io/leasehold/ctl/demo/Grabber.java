package io.leasehold.ctl.demo;

import io.leasehold.ctl.CommandFailure;
import io.leasehold.ctl.ExitCodes;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A process that grabs: another run of this very program. It ends when this one does. */
final class Grabber implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 120;

  /** A process that is stopped cannot see that we have died; so it is not stopped for ever. */
  private static final String STOP_FOR_A_WHILE =
      "kill -s STOP \"$1\"; sleep 20; kill -s CONT \"$1\"";

  private final Process process;
  private final BufferedWriter orders;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private volatile Tally tally = Tally.NONE;
  private @Nullable Process stopping;

  private Grabber(Process process) {
    this.process = process;
    this.orders =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    Thread reader = new Thread(this::read, "grabber " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * @param errors where its complaints go
   */
  static Grabber start(Path errors) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx96m", "-Xshare:auto"));
    archive().ifPresent(words::add);
    words.addAll(List.of("-Xlog:disable", "-cp", System.getProperty("java.class.path")));
    words.addAll(List.of("io.leasehold.ctl.Lockctl", "demo-grabber"));
    try {
      return new Grabber(
          new ProcessBuilder(words)
              .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
              .start());
    } catch (IOException e) {
      throw new CommandFailure(ExitCodes.OS_ERROR, "A process could not be started.", e);
    }
  }

  /** The archive of classes with which this process was started, if any. */
  private static Optional<String> archive() {
    return Arrays.stream(ProcessHandle.current().info().arguments().orElse(new String[0]))
        .filter(word -> word.startsWith("-XX:SharedArchiveFile="))
        .findFirst();
  }

  long pid() {
    return process.pid();
  }

  /** What it has grabbed in this part, as far as it has told. */
  Tally tally() {
    return tally;
  }

  void tell(Task task) {
    tally = Tally.NONE;
    order(task.line());
  }

  void order(String line) {
    try {
      orders.write(line + "\n");
      orders.flush();
    } catch (IOException e) {
      throw gone(e);
    }
  }

  /** Waits for a line that begins with one of these words. */
  String[] await(String... words) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (System.nanoTime() - end < 0) {
      String answer = answers.poll(100, TimeUnit.MILLISECONDS);
      if (answer != null) {
        String[] parts = answer.split(" ", -1);
        if (List.of(words).contains(parts[0])) {
          return parts;
        }
      } else if (!process.isAlive()) {
        throw gone(null);
      }
    }
    throw new CommandFailure(
        ExitCodes.SOFTWARE, "A process of the demo does not answer: " + List.of(words));
  }

  /** Stops the process, as a long pause of its machine would. */
  void stop() {
    try {
      stopping =
          new ProcessBuilder("sh", "-c", STOP_FOR_A_WHILE, "sh", Long.toString(pid())).start();
    } catch (IOException e) {
      throw new CommandFailure(ExitCodes.OS_ERROR, "A process could not be stopped.", e);
    }
  }

  /** Lets it go on. */
  void goOn() throws InterruptedException {
    try {
      if (stopping != null) {
        stopping.descendants().forEach(ProcessHandle::destroyForcibly);
        stopping.destroyForcibly();
      }
      new ProcessBuilder("kill", "-s", "CONT", Long.toString(pid())).start().waitFor();
    } catch (IOException e) {
      throw new CommandFailure(ExitCodes.OS_ERROR, "A process could not go on.", e);
    }
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("so-far ") || line.startsWith("done ")) {
          tally = Tally.read(line);
        }
        if (!line.startsWith("so-far ")) {
          answers.add(line);
        }
      }
    } catch (IOException e) {
      // it has ended, or was ended
    }
  }

  private static CommandFailure gone(@Nullable Exception cause) {
    String message = "A process of the demo has ended by itself.";
    return cause == null
        ? new CommandFailure(ExitCodes.SOFTWARE, message)
        : new CommandFailure(ExitCodes.SOFTWARE, message, cause);
  }

  @Override
  public void close() {
    if (stopping != null) {
      stopping.descendants().forEach(ProcessHandle::destroyForcibly);
      stopping.destroyForcibly();
    }
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
