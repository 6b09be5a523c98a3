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
 */
public record LockOptions(
    Optional<Duration> leaseTime,
    Optional<Duration> waitTime,
    Optional<Boolean> renewal,
    Optional<Duration> maxHold) {

  private static final LockOptions DEFAULTS =
      new LockOptions(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /** Everything as the client's URL says. */
  public static LockOptions defaults() {
    return DEFAULTS;
  }

  /** The same with another lease time. */
  public LockOptions withLeaseTime(Duration value) {
    return new LockOptions(Optional.of(value), waitTime, renewal, maxHold);
  }

  /** The same with another time to wait. */
  public LockOptions withWaitTime(Duration value) {
    return new LockOptions(leaseTime, Optional.of(value), renewal, maxHold);
  }

  /** The same with renewal. */
  public LockOptions withRenewal() {
    return new LockOptions(leaseTime, waitTime, Optional.of(true), maxHold);
  }

  /** The same without renewal: a lease ends when its lease time is over. */
  public LockOptions withoutRenewal() {
    return new LockOptions(leaseTime, waitTime, Optional.of(false), maxHold);
  }

  /** The same with an upper bound on automatic renewal. */
  public LockOptions withMaxHold(Duration value) {
    return new LockOptions(leaseTime, waitTime, renewal, Optional.of(value));
  }
}
