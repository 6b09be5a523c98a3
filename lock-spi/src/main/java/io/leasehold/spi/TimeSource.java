package io.leasehold.spi;

/**
 * The two clocks of this machine. Validity is measured on both and the larger elapsed time counts:
 * a suspended machine stops the monotonic clock, an adjusted one moves the wall clock.
 */
public interface TimeSource {

  /** Nanoseconds of a clock that never goes back; only differences mean anything. */
  long monotonicNanos();

  /** Milliseconds since 1970-01-01T00:00Z, as this machine believes. */
  long wallMillis();

  /** The clocks of the JVM. */
  static TimeSource system() {
    return SystemTime.INSTANCE;
  }
}
