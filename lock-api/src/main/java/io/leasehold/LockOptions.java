package io.leasehold;

import java.time.Duration;
import java.util.Optional;

/**
 * What may differ from lock to lock. Whatever is empty is taken from the client's URL. Immutable.
 *
 * @param leaseTime how long a lease lasts without renewal
 * @param waitTime how long {@link DistributedLock#acquire()} waits
 * @param renewal whether leases are renewed while they are held
 * @param maxHold the longest time for which renewal keeps a lease alive
 * @param fair whether waiting calls are served first come, first served across clients
 */
public record LockOptions(
    Optional<Duration> leaseTime,
    Optional<Duration> waitTime,
    Optional<Boolean> renewal,
    Optional<Duration> maxHold,
    Optional<Boolean> fair) {

  private static final LockOptions DEFAULTS =
      new LockOptions(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /** Everything as the client's URL says. */
  public static LockOptions defaults() {
    return DEFAULTS;
  }

  /** The same with another lease time. */
  public LockOptions withLeaseTime(Duration value) {
    return new LockOptions(Optional.of(value), waitTime, renewal, maxHold, fair);
  }

  /** The same with another time to wait. */
  public LockOptions withWaitTime(Duration value) {
    return new LockOptions(leaseTime, Optional.of(value), renewal, maxHold, fair);
  }

  /** The same with renewal. */
  public LockOptions withRenewal() {
    return new LockOptions(leaseTime, waitTime, Optional.of(true), maxHold, fair);
  }

  /** The same without renewal: a lease ends when its lease time is over. */
  public LockOptions withoutRenewal() {
    return new LockOptions(leaseTime, waitTime, Optional.of(false), maxHold, fair);
  }

  /** The same with an upper bound on automatic renewal. */
  public LockOptions withMaxHold(Duration value) {
    return new LockOptions(leaseTime, waitTime, renewal, Optional.of(value), fair);
  }

  /**
   * The same, first come, first served: waiting calls get the lock in the order in which the server
   * saw them, across clients. It costs a round trip more for each change of holder. All clients of
   * a lock should agree on it: one that does not ask for it may come before the others.
   */
  public LockOptions withFair() {
    return new LockOptions(leaseTime, waitTime, renewal, maxHold, Optional.of(true));
  }

  /** The same in whatever order is fastest, within bounds: nobody starves. */
  public LockOptions withoutFair() {
    return new LockOptions(leaseTime, waitTime, renewal, maxHold, Optional.of(false));
  }
}
