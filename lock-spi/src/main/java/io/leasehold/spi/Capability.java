package io.leasehold.spi;

/**
 * What a node can do beyond granting, extending and releasing. A capability that is not declared is
 * never asked for; the certification kit certifies a provider for those that it declares.
 */
public enum Capability {
  /** Every grant carries a fencing token; {@link LockNode#raise} is served. */
  FENCING,
  /**
   * {@link LockNode#transfer} is served. Not to be declared without {@link #WAKE_UPS}: a client
   * then hands the lock from call to call, and leaves gaps of a millisecond or two, which clients
   * that poll hardly ever meet.
   */
  TRANSFER,
  /** {@link LockNode#watch} is served: a release wakes one waiting client. */
  WAKE_UPS,
  /** {@link Queueing#FAIR} is served, and {@link FairLine} offered. */
  FAIRNESS,
  /**
   * Restarts, failovers and stale restores are noticed, and answered with {@link Guarded}; the node
   * offers {@link Vouching}.
   */
  GUARD,
  /** {@link ForcedRelease} is served. */
  FORCED_RELEASE,
  /** {@link ReadWriteLocks} are offered. */
  READ_WRITE,
  /** {@link Semaphores} are offered. */
  SEMAPHORES,
  /** {@link SeveralLocks} are offered. */
  SEVERAL,
  /** {@link LockListing} is served. */
  LISTING
}
