package io.leasehold.spi;

/**
 * The lock is not this owner's, so nothing was done.
 *
 * @param cause what is known about why
 * @param serverMicros the server's clock
 */
public record NotHeld(Cause cause, long serverMicros)
    implements ReleaseReply, ExtendReply, TransferReply, ServerClock {

  /** Why a lock is not, or no longer, an owner's. */
  public enum Cause {
    /** There is no such lock: it ended, or was never granted. */
    ABSENT,
    /** Another owner holds it. */
    TAKEN,
    /** An operator took it away from this owner. */
    FORCED
  }
}
