package io.leasehold.spi;

/**
 * The lock was this owner's, and is free now.
 *
 * @param serverMicros the server's clock; {@link ServerClock#UNKNOWN} if the server did not look at
 *     it
 * @param wokeAnother whether another waiting client has been told: the lock is likely to be its own
 *     in a moment
 */
public record Released(long serverMicros, boolean wokeAnother)
    implements ReleaseReply, ServerClock {

  /** Released, and nobody was told. */
  public Released(long serverMicros) {
    this(serverMicros, false);
  }
}
