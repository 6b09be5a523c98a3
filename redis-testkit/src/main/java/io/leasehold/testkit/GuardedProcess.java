package io.leasehold.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts a process that cannot outlive this JVM, however the JVM ends.
 *
 * <p>A shutdown hook does not run when a JVM is killed with SIGKILL; what the kernel then still
 * does is to close its pipes. So the shell that becomes the process first leaves a watcher behind
 * which reads from the pipe that this JVM holds and never writes to. The end of the pipe is the end
 * of the JVM (or of the process, and then there is nothing left to do), and the watcher kills the
 * process: with SIGKILL, because that also ends one that is stopped. The watcher exists before the
 * process does, so there is no moment at which the JVM can die and leave it unwatched.
 *
 * <p>{@code exec} keeps the process id: {@link Process} stands for the process itself, not for a
 * shell around it. For the same reason {@link Process#destroy()} must not be used to end it in
 * order: it closes the pipe, and the watcher's SIGKILL overtakes the SIGTERM. {@link #signal}
 * leaves the pipe alone.
 */
final class GuardedProcess {

  private static final Duration SIGNAL_BOUND = Duration.ofSeconds(10);

  private static final String GUARD =
      """
      exec 3<&0
      (read -r line <&3; kill -9 $$) >/dev/null 2>&1 &
      exec "$@" 3<&- </dev/null
      """;

  private GuardedProcess() {}

  static Process start(List<String> command, Path directory, Path log) throws IOException {
    List<String> guarded = new ArrayList<>(List.of("sh", "-c", GUARD, "sh"));
    guarded.addAll(command);
    return new ProcessBuilder(guarded)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  /** Sends a signal to a process that this JVM started. Does nothing if it has ended. */
  static void signal(Process process, Signal signal) throws IOException {
    if (!process.isAlive()) {
      return;
    }
    Process kill =
        new ProcessBuilder(
                "sh", "-c", "kill -s \"$1\" \"$2\"", "sh", signal.name(), "" + process.pid())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    boolean ended = Patience.await(SIGNAL_BOUND, () -> !kill.isAlive());
    if (process.isAlive() && !(ended && kill.exitValue() == 0)) {
      throw new IOException("could not send SIG" + signal + " to process " + process.pid());
    }
  }
}
