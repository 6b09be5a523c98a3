package io.leasehold.engine;

import java.time.Duration;

/** Durations as nanoseconds that never overflow. */
final class Nanos {
  /** For ever: about 146 years, so that adding a moment of the monotonic clock cannot overflow. */
  static final long FOREVER = Long.MAX_VALUE / 2;

  private Nanos() {}

  /** The duration, cut to zero and {@link #FOREVER}. */
  static long of(Duration duration) {
    if (duration.isNegative()) {
      return 0;
    }
    if (duration.toSeconds() >= FOREVER / 1_000_000_000L) {
      return FOREVER;
    }
    return duration.toNanos();
  }
}
