package io.leasehold.redis;

import io.leasehold.spi.Scheduler;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Subscribes again after an interruption, and tries again with a growing pause while that fails.
 * One loop, however many interruptions there are: one that comes during an attempt has it repeated,
 * because what is confirmed then may be gone already. Thread-safe; never blocks.
 */
final class Resubscription {
  private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Scheduler scheduler;
  private final Executor background;
  private final Supplier<CompletionStage<Boolean>> subscribe;
  private final Runnable confirmed;

  // Guarded by the monitor.
  private boolean running;
  private boolean interrupted;
  private boolean ended;
  private long pauseNanos;
  private Scheduler.@Nullable Task next;

  /**
   * @param background where the port may be called from threads that must not block
   * @param confirmed called after each success; must not block
   */
  Resubscription(
      Scheduler scheduler,
      Executor background,
      Supplier<CompletionStage<Boolean>> subscribe,
      Runnable confirmed) {
    this.scheduler = scheduler;
    this.background = background;
    this.subscribe = subscribe;
    this.confirmed = confirmed;
  }

  /** The subscription may be gone. */
  void interrupted() {
    synchronized (this) {
      interrupted = true;
      if (running || ended) {
        return;
      }
      running = true;
      pauseNanos = SHORTEST_PAUSE_NANOS;
    }
    attempt();
  }

  /** Begins no further attempt. */
  synchronized void end() {
    ended = true;
    if (next != null) {
      next.cancel();
    }
  }

  private void attempt() {
    synchronized (this) {
      interrupted = false;
      if (ended) {
        return;
      }
    }
    try {
      background.execute(
          () ->
              Stages.begin(subscribe)
                  .whenComplete((subscribed, error) -> attempted(error == null)));
    } catch (RejectedExecutionException e) { // too busy
      attempted(false);
    }
  }

  private void attempted(boolean success) {
    synchronized (this) {
      running = interrupted || !success;
      if (running && !ended) {
        next = scheduler.schedule(this::attempt, pauseNanos);
        pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
      }
    }
    if (success) {
      confirmed.run();
    }
  }
}
