package io.leasehold.spi;

/** A reply that tells what the server's clock showed when it was made. */
public interface ServerClock {

  /**
   * Microseconds since 1970-01-01T00:00Z on the server's clock; of a quorum, the median of those
   * that answered.
   */
  long serverMicros();
}
