package io.leasehold.engine;

import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.PriorityQueue;

/** Clocks and a scheduler that move only when a test says so. */
final class VirtualTime implements TimeSource, Scheduler {

  private final class Due implements Task, Comparable<Due> {
    final Runnable task;
    final long atNanos;
    final long order = ++scheduled;
    boolean cancelled;

    Due(Runnable task, long atNanos) {
      this.task = task;
      this.atNanos = atNanos;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }

    @Override
    public int compareTo(Due other) {
      return atNanos != other.atNanos
          ? Long.compare(atNanos, other.atNanos)
          : Long.compare(order, other.order);
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(order);
    }
  }

  private final PriorityQueue<Due> tasks = new PriorityQueue<>();
  private long scheduled;
  private long nanos = 1_000_000_000L;
  private long wallOffsetMillis = 1_700_000_000_000L;

  @Override
  public synchronized long monotonicNanos() {
    return nanos;
  }

  @Override
  public synchronized long wallMillis() {
    return wallOffsetMillis + nanos / 1_000_000;
  }

  @Override
  public synchronized Task schedule(Runnable task, long delayNanos) {
    Due due = new Due(task, nanos + Math.max(0, delayNanos));
    tasks.add(due);
    return due;
  }

  /** The wall clock is set; the monotonic clock does not notice. */
  synchronized void stepWallClock(Duration by) {
    wallOffsetMillis += by.toMillis();
  }

  /** Lets time pass, and runs what becomes due on the way, in order. */
  void advance(Duration by) {
    long end;
    synchronized (this) {
      end = nanos + by.toNanos();
    }
    while (true) {
      Due next;
      synchronized (this) {
        next = tasks.peek();
        if (next == null || next.atNanos > end) {
          nanos = end;
          return;
        }
        tasks.remove();
        nanos = Math.max(nanos, next.atNanos);
      }
      if (!next.cancelled) {
        next.task.run();
      }
    }
  }

  /** How many tasks are waiting to run. */
  synchronized long pending() {
    return tasks.stream().filter(task -> !task.cancelled).count();
  }
}
