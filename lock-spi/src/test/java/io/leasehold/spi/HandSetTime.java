package io.leasehold.spi;

import java.time.Duration;

/** Clocks that move only when a test says so. */
final class HandSetTime implements TimeSource {
  private long nanos = 1_000_000_000L;
  private long wallOffsetMillis = 1_700_000_000_000L;

  @Override
  public long monotonicNanos() {
    return nanos;
  }

  @Override
  public long wallMillis() {
    return wallOffsetMillis + nanos / 1_000_000;
  }

  void advance(Duration by) {
    nanos += by.toNanos();
  }

  /** The wall clock is set; the monotonic clock does not notice. */
  void stepWallClock(Duration by) {
    wallOffsetMillis += by.toMillis();
  }
}
