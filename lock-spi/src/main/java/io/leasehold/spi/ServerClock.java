package io.leasehold.spi;

/** A reply that may tell what the server's clock showed when it was made. */
public interface ServerClock {
  /** In the place of what a reply does not tell. */
  long UNKNOWN = 0;

  /**
   * Microseconds since 1970-01-01T00:00Z on the server's clock; of a quorum, the median of those
   * that answered. {@link #UNKNOWN} where a reply has no need to tell: those to {@link
   * LockNode#release}, and a grant of a proposal that is within a few milliseconds of the clock.
   */
  long serverMicros();
}
