package io.leasehold.redis;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long opening a node may take: the connect timeout. It measures the network. The first
 * connection of a driver in a JVM loads thousands of classes, which takes seconds on a busy
 * machine, so the timeout starts again when classes were loaded since the last look. For one
 * thread.
 */
final class OpeningTime {
  /** Opening takes no longer than this, or the connect timeout, in a JVM that keeps loading. */
  static final long LONGEST_START = TimeUnit.SECONDS.toNanos(30);

  /** What is left after loading, at least: longer than a link waits between two attempts. */
  static final long AFTER_LOADING = TimeUnit.SECONDS.toNanos(2);

  private final LongSupplier nanos;
  private final LongSupplier classes;
  private final long restart;
  private final long latest;
  private long loaded;
  private long deadline;

  /**
   * Starts now.
   *
   * @param nanos a clock that never goes back
   * @param timeout the connect timeout, in nanoseconds
   * @param classes how many classes the JVM has loaded; a constant has the time never start again
   */
  OpeningTime(LongSupplier nanos, long timeout, LongSupplier classes) {
    this.nanos = nanos;
    this.classes = classes;
    this.restart = Math.max(timeout, AFTER_LOADING);
    this.loaded = classes.getAsLong();
    long begun = nanos.getAsLong();
    this.deadline = begun + timeout;
    this.latest = begun + Math.max(timeout, LONGEST_START);
  }

  boolean isOver() {
    long now = nanos.getAsLong();
    long total = classes.getAsLong();
    if (total != loaded) {
      loaded = total;
      deadline = now + restart;
    }
    return now - deadline >= 0 || now - latest >= 0;
  }
}
