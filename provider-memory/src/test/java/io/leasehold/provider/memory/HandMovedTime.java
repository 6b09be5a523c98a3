package io.leasehold.provider.memory;

import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A clock that a test moves, and what is to be done when it has moved far enough. */
final class HandMovedTime implements TimeSource, Scheduler {

  private record Due(Runnable task, long atNanos) {}

  private final List<Due> tasks = new ArrayList<>();
  private long nanos;

  @Override
  public long monotonicNanos() {
    return nanos;
  }

  @Override
  public long wallMillis() {
    return 1_700_000_000_000L;
  }

  /** The clock of a space that began with this time. */
  long micros() {
    return wallMillis() * 1_000 + nanos / 1_000;
  }

  @Override
  public Task schedule(Runnable task, long delayNanos) {
    Due due = new Due(task, nanos + delayNanos);
    tasks.add(due);
    return () -> tasks.remove(due);
  }

  void advance(Duration by) {
    long end = nanos + by.toNanos();
    while (true) {
      Due next =
          tasks.stream()
              .filter(due -> due.atNanos <= end)
              .min(Comparator.comparingLong(Due::atNanos))
              .orElse(null);
      if (next == null) {
        break;
      }
      tasks.remove(next);
      nanos = next.atNanos;
      next.task.run();
    }
    nanos = end;
  }
}
