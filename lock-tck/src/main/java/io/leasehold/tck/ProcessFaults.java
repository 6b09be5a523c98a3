package io.leasehold.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Stops, continues and kills a process of this machine together with its descendants, for {@link
 * Faults}. The system delivers a signal some time after it was sent; here each method returns when
 * it is in effect, and throws {@link IllegalStateException} when it is not within 10 s. A process
 * that has ended is left alone.
 *
 * <p>Needs the command {@code kill} of a POSIX shell. Where there is no {@code /proc}, which tells
 * the states of threads, {@link #stop} and {@link #resume} return when the signal has been sent.
 *
 * <p>Used by one thread at a time.
 */
public final class ProcessFaults {
  private static final Duration BOUND = Duration.ofSeconds(10);
  private static final long POLL_MILLIS = 2;

  /** The states of a thread that does not run: stopped, traced, ended. */
  private static final String NOT_RUNNING = "TtZX";

  private static final String STOPPED = "T";
  private static final String ENDED = "ZX";

  private final ProcessHandle process;

  /** Then its exit is collected by this JVM, and {@link Process#isAlive()} says so afterwards. */
  private final boolean ours;

  private ProcessFaults(ProcessHandle process) {
    this.process = process;
    this.ours = process.parent().filter(ProcessHandle.current()::equals).isPresent();
  }

  /** Faults of a process and its descendants. */
  public static ProcessFaults of(ProcessHandle process) {
    return new ProcessFaults(process);
  }

  /** Stops them with SIGSTOP: their connections stay open, and none of their threads runs. */
  public void stop() {
    List<ProcessHandle> signalled;
    do {
      List<ProcessHandle> all = all();
      signal("STOP", all);
      await("stopped", () -> all.stream().allMatch(each -> areIn(states(each), NOT_RUNNING)));
      signalled = all;
    } while (!signalled.equals(all())); // one may have started another before it was stopped
  }

  /** Lets them go on with SIGCONT. */
  public void resume() {
    List<ProcessHandle> all = all();
    signal("CONT", all);
    await(
        "resumed",
        () ->
            all.stream()
                .flatMap(each -> states(each).stream())
                .noneMatch(state -> STOPPED.indexOf(state) >= 0));
  }

  /** Ends them with SIGKILL, stopped or not. */
  public void kill() {
    stop(); // so that none of them starts another one meanwhile
    List<ProcessHandle> all = all();
    all.forEach(ProcessHandle::destroyForcibly);
    await("ended", () -> all.stream().allMatch(this::isEnded) && !(ours && process.isAlive()));
  }

  /** The process and its descendants, those that have ended left out; the process comes first. */
  private List<ProcessHandle> all() {
    return Stream.concat(Stream.of(process), process.descendants())
        .filter(each -> !isEnded(each))
        .toList();
  }

  /** A process that has ended may stay in the system's table until its parent asks about it. */
  private boolean isEnded(ProcessHandle each) {
    List<Character> states = states(each);
    return !each.isAlive() || (!states.isEmpty() && areIn(states, ENDED));
  }

  private static boolean areIn(List<Character> states, String expected) {
    return states.stream().allMatch(state -> expected.indexOf(state) >= 0);
  }

  /** The state of each thread; none when the process has ended, or the system does not tell. */
  private static List<Character> states(ProcessHandle process) {
    Path threads = Path.of("/proc", String.valueOf(process.pid()), "task");
    try (Stream<Path> all = Files.list(threads)) {
      return all.map(ProcessFaults::state).toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }

  /** The field behind the name, which stands in parentheses and may contain some. */
  private static char state(Path thread) {
    try {
      String fields = Files.readString(thread.resolve("stat"));
      return fields.charAt(fields.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return 'X';
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + BOUND.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        throw new IllegalStateException("not " + what + " within " + BOUND.toSeconds() + " s");
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted, and not " + what, e);
      }
    }
  }

  private void signal(String signal, List<ProcessHandle> processes) {
    if (processes.isEmpty()) {
      return;
    }
    List<String> command = new ArrayList<>(List.of("sh", "-c", "kill -s \"$@\"", "sh", signal));
    processes.forEach(each -> command.add(String.valueOf(each.pid())));
    int code;
    try {
      code =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("could not send SIG" + signal, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while sending SIG" + signal, e);
    }
    if (code != 0 && processes.stream().noneMatch(this::isEnded)) {
      throw new IllegalStateException("could not send SIG" + signal + " to " + processes);
    }
  }
}
