package io.leasehold.ctl.run;

import io.leasehold.ctl.CommandFailure;
import io.leasehold.ctl.ExitCodes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A shell process that ends the command when this one dies or falls silent: {@code watchdog.sh}
 * tells how. It is in a session of its own where there is {@code setsid(1)}, so that what ends this
 * process group, or stops it at the terminal, does not do the same to it. Not thread-safe.
 */
final class Watchdog implements AutoCloseable {
  private final Process process;

  private Watchdog(Process process) {
    this.process = process;
  }

  /**
   * Starts one, and waits until it listens.
   *
   * @param marker what the environment of the command's processes contains
   * @throws CommandFailure when there is no shell: without a watchdog no command is run
   */
  static Watchdog start(String marker, Times times) {
    List<String> words = new ArrayList<>();
    Executable.find("setsid").ifPresent(found -> words.add(found.toString()));
    words.addAll(List.of("sh", "-c", script(), "lockctl-watchdog", marker));
    words.add(Long.toString(times.grace().toMillis() / 10));
    try {
      Process process = new ProcessBuilder(words).redirectError(Redirect.INHERIT).start();
      InputStream from = process.getInputStream();
      for (int letter = from.read(); letter != '\n'; letter = from.read()) {
        if (letter < 0) {
          throw new IOException("it ended at once");
        }
      }
      return new Watchdog(process);
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCodes.OS_ERROR, "The watchdog cannot be started: " + e.getMessage(), e);
    }
  }

  private static String script() {
    try (InputStream in = Watchdog.class.getResourceAsStream("watchdog.sh")) {
      if (in == null) {
        throw new IllegalStateException("watchdog.sh is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("watchdog.sh cannot be read", e);
    }
  }

  /** Whether it listens; one that was killed does not. */
  boolean isAlive() {
    return process.isAlive();
  }

  /** Whether it has begun to end the command, because it was told nothing for too long. */
  boolean hasActed() {
    try {
      return process.getInputStream().available() > 0;
    } catch (IOException e) {
      return false; // it was killed, and has ended nothing
    }
  }

  /**
   * The lease is good for that long.
   *
   * @param termAt when the command is asked to end, or "-"
   * @param killAt when it is ended
   */
  void until(String termAt, long killAt) {
    send("until " + termAt + " " + killAt);
  }

  /** The command runs. */
  void command(long pid) {
    send("pid " + pid);
  }

  /** Passes a signal on. */
  void signal(String name) {
    send("signal " + name);
  }

  private void send(String line) {
    try {
      OutputStream out = process.getOutputStream();
      out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
      out.flush();
    } catch (IOException e) {
      // It has died; isAlive() says so, and another one is started.
      process.destroyForcibly();
    }
  }

  /** The command has ended. */
  @Override
  public void close() {
    send("done");
    try {
      process.getOutputStream().close();
      process.getInputStream().close();
    } catch (IOException e) {
      process.destroyForcibly();
    }
  }
}
