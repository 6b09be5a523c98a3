package io.leasehold.ctl.run;

import io.leasehold.Lease;
import io.leasehold.LeaseLostException;
import io.leasehold.LossReason;
import io.leasehold.ctl.CommandFailure;
import io.leasehold.ctl.ExitCodes;
import io.leasehold.ctl.Output;
import io.leasehold.ctl.Terminal;
import io.leasehold.ctl.run.Signals.Caught;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A command that runs while a lease is held. It ends by itself, or is ended when the lease was lost
 * or is about to be: asked with TERM so early that the grace is over, and everything that it has
 * started is killed, before the validity of the lease is. See {@link Times}.
 *
 * <p>All of it happens on the thread that calls {@link #run}. Used once.
 */
final class HeldCommand {
  private static final Duration STEP = Duration.ofMillis(50);

  /** Somebody who does not go after a KILL hangs in the kernel, and cannot be waited for. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Lease lease;
  private final Times times;
  private final String marker;
  private final BlockingQueue<Event> events;
  private final Output output;
  private Watchdog watchdog;
  private @Nullable ProcessTree tree;
  private Optional<String> why = Optional.empty();
  private boolean stopped;
  private long killNanos;
  private long toldKillAt;
  private boolean toldEnding;
  private long takenKillAt;

  /** What may happen while a command runs. */
  sealed interface Event {
    /** The command has ended. */
    record Exited() implements Event {}

    /** The lease has. */
    record Lost() implements Event {}

    /** This process was sent a signal. */
    record Signalled(Caught signal) implements Event {}
  }

  /**
   * @param events where signals are put by others, and the rest by this
   */
  HeldCommand(Lease lease, Times times, String marker, BlockingQueue<Event> events, Output output) {
    this.lease = lease;
    this.times = times;
    this.marker = marker;
    this.events = events;
    this.output = output;
    this.watchdog = Watchdog.start(marker, times);
  }

  /**
   * Runs the command to its end.
   *
   * @return its exit code, or {@link ExitCodes#LOST}
   */
  int run(ProcessBuilder command) throws InterruptedException {
    try {
      if (tellWatchdog().compareTo(times.askWithin()) <= 0) {
        output.say("the lease was about to end before the command began: it was not run");
        return ExitCodes.LOST;
      }
      Process process = start(command);
      watchdog.command(process.pid());
      CompletableFuture<Void> told = process.onExit().thenRun(() -> events.add(new Event.Exited()));
      lease.onLost(loss -> events.add(new Event.Lost()));
      ProcessTree started = new ProcessTree(process.toHandle(), marker);
      tree = started;
      attend(started);
      if (why.isEmpty() && watchdog.hasActed()) {
        why = Optional.of("lockctl itself stood still until the lease was about to end");
      }
      if (why.isPresent() || stopped) {
        endRest(started);
      }
      told.join();
      int code = process.waitFor();
      return why.isPresent() ? lost(code) : code;
    } finally {
      watchdog.close();
    }
  }

  private static Process start(ProcessBuilder command) {
    try {
      return command.inheritIO().start();
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCodes.NOT_EXECUTABLE, command.command().get(0) + ": cannot be executed", e);
    }
  }

  private int lost(int code) {
    output.tell(
        "ended",
        "the command was ended, because "
            + why.orElseThrow()
            + "; its exit code was "
            + code
            + ", that of lockctl is "
            + ExitCodes.LOST,
        Map.of("lock", lease.lockName(), "commandExitCode", code));
    return ExitCodes.LOST;
  }

  /** Who of a command that has ended goes on. */
  List<Long> leftBehind() {
    return tree == null ? List.of() : tree.alive().stream().map(ProcessHandle::pid).toList();
  }

  /** Until the command itself has ended. */
  private void attend(ProcessTree tree) throws InterruptedException {
    while (true) {
      Event event = events.poll(nextLook().toNanos(), TimeUnit.NANOSECONDS);
      if (event instanceof Event.Exited) {
        return;
      }
      if (event instanceof Event.Signalled signalled) {
        passOn(signalled.signal(), tree);
      }
      look(tree);
    }
  }

  private Duration nextLook() {
    if (why.isPresent()) {
      return STEP;
    }
    Duration left = lease.remaining().minus(times.askWithin());
    Duration next = left.compareTo(times.look()) < 0 ? left : times.look();
    return next.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : next;
  }

  private void passOn(Caught signal, ProcessTree tree) {
    stopped |= signal.ends();
    if (signal.name().equals("TERM")) {
      tree.root().destroy();
    } else if (!signal.name().equals("INT") || !Terminal.isForeground()) {
      watchdog.signal(signal.name()); // from a terminal, the command has had it already
    }
  }

  private void look(ProcessTree tree) {
    Duration left = tellWatchdog();
    if (why.isEmpty()) {
      why = reasonToEnd(left);
      if (why.isPresent()) {
        boolean grace = isTakenAway() || left.compareTo(times.margin()) > 0;
        killNanos = System.nanoTime() + (grace ? times.grace().toNanos() : 0);
        tellWatchdog();
        if (grace) {
          tree.ask();
        }
      }
    }
    if (why.isPresent() && isTimeToKill(left)) {
      tree.end();
    }
  }

  private boolean isTimeToKill(Duration left) {
    boolean over = left.compareTo(times.margin()) <= 0 && !isTakenAway();
    return over || System.nanoTime() - killNanos >= 0;
  }

  private Optional<String> reasonToEnd(Duration left) {
    Optional<LossReason> loss = loss();
    if (loss.isPresent()) {
      return Optional.of("the lease was lost: " + loss.get().description());
    }
    return left.compareTo(times.askWithin()) <= 0
        ? Optional.of("the lease could not be renewed, and is about to end")
        : Optional.empty();
  }

  /**
   * Somebody else may hold the lock already: then nothing is won by a hurry, and the grace holds.
   */
  private boolean isTakenAway() {
    return loss()
        .filter(reason -> reason == LossReason.TAKEN || reason == LossReason.FORCED)
        .isPresent();
  }

  private Optional<LossReason> loss() {
    try {
      lease.ensureHeld();
      return Optional.empty();
    } catch (LeaseLostException e) {
      return Optional.of(e.reason());
    }
  }

  /** Whoever is left of a command that has ended because it was told to. */
  private void endRest(ProcessTree tree) throws InterruptedException {
    if (why.isEmpty()) {
      killNanos = System.nanoTime() + times.grace().toNanos();
      tree.ask();
    }
    long giveUp = killNanos + PATIENCE.toNanos();
    List<ProcessHandle> rest = tree.alive();
    while (!rest.isEmpty()) {
      Duration left = tellWatchdog();
      if (isTimeToKill(left)) {
        tree.end();
      }
      if (System.nanoTime() - giveUp >= 0) {
        output.say("could not be ended: " + rest.stream().map(ProcessHandle::pid).toList());
        return;
      }
      TimeUnit.NANOSECONDS.sleep(STEP.toNanos());
      rest = tree.alive();
    }
  }

  /** Half a margin behind what this process does itself: the watchdog acts if it does not. */
  private Duration tellWatchdog() {
    if (!watchdog.isAlive() && why.isEmpty() && !watchdog.hasActed()) {
      watchdog = Watchdog.start(marker, times); // it finds the command by the marker
      toldKillAt = 0;
    }
    long now = SharedClock.hundredths(); // first: what is said must not be later than what is so
    Duration left = lease.remaining();
    long half = hundredths(times.margin()) / 2;
    long killAt = now + hundredths(left) - half;
    if (left.isZero()) {
      if (takenKillAt == 0 && isTakenAway()) {
        takenKillAt = now + hundredths(times.grace()) + half;
      }
      killAt = takenKillAt == 0 ? toldKillAt : takenKillAt; // it does what it was told last
    }
    if (Math.abs(killAt - toldKillAt) > 5 || why.isPresent() != toldEnding) {
      toldKillAt = killAt;
      toldEnding = why.isPresent();
      watchdog.until(toldEnding ? "-" : Long.toString(killAt - hundredths(times.grace())), killAt);
    }
    return left;
  }

  private static long hundredths(Duration duration) {
    return duration.toMillis() / 10;
  }
}
