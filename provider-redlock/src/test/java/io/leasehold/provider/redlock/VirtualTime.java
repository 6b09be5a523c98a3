package io.leasehold.provider.redlock;

import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Clocks and a scheduler that move only when a test says so. For one thread. */
final class VirtualTime implements TimeSource, Scheduler {
  private record Due(long atNanos, long order) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return atNanos != other.atNanos
          ? Long.compare(atNanos, other.atNanos)
          : Long.compare(order, other.order);
    }
  }

  private final TreeMap<Due, Runnable> tasks = new TreeMap<>();
  private long scheduled;
  private long nanos = 1_000_000_000L;

  @Override
  public long monotonicNanos() {
    return nanos;
  }

  @Override
  public long wallMillis() {
    return 1_700_000_000_000L + nanos / 1_000_000;
  }

  @Override
  public Task schedule(Runnable task, long delayNanos) {
    Due due = new Due(nanos + Math.max(0, delayNanos), ++scheduled);
    tasks.put(due, task);
    return () -> tasks.remove(due);
  }

  /** Lets time pass, and runs what becomes due on the way, in order. */
  void advance(Duration by) {
    long end = nanos + by.toNanos();
    for (Map.Entry<Due, Runnable> next = tasks.firstEntry();
        next != null && next.getKey().atNanos <= end;
        next = tasks.firstEntry()) {
      tasks.remove(next.getKey());
      nanos = Math.max(nanos, next.getKey().atNanos);
      next.getValue().run();
    }
    nanos = end;
  }

  /** Time passes, and nothing that becomes due is run: the whole process sleeps. */
  void sleep(Duration by) {
    nanos += by.toNanos();
  }

  /** How many tasks are waiting to run. */
  int pending() {
    return tasks.size();
  }
}
