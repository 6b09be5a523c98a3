package io.leasehold.redis;

import io.leasehold.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs tasks when a test says so, in the order in which they were scheduled. */
final class HandScheduler implements Scheduler {
  private final List<Runnable> waiting = new ArrayList<>();

  /** All delays, also of tasks that have run. */
  final List<Duration> delays = new ArrayList<>();

  @Override
  public Task schedule(Runnable task, long delayNanos) {
    waiting.add(task);
    delays.add(Duration.ofNanos(delayNanos));
    return () -> waiting.remove(task);
  }

  /** How many tasks wait. */
  int waiting() {
    return waiting.size();
  }

  /** Runs the one that has waited longest. */
  void runNext() {
    waiting.remove(0).run();
  }
}
