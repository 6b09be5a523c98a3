package io.leasehold;

import java.util.concurrent.locks.Lock;

/**
 * A lock that excludes every other holder in every process that uses the same servers; two
 * acquisitions in one process exclude each other like strangers.
 */
public interface DistributedLock extends Leasable {

  /**
   * A view for existing code: re-entrant per thread, with the hold count kept locally (re-entering
   * sends nothing). All views of one name in one client are the same lock.
   *
   * <p>{@code lock()} waits as long as it takes, but throws {@link LockUnavailableException} after
   * the servers have been unavailable for {@code waitTime}. {@code lock()} by a thread whose lease
   * was lost throws {@link LeaseLostException}; its {@code unlock()} throws {@link
   * IllegalMonitorStateException} with that exception as its cause, and {@link
   * LockUnavailableException} when the server does not confirm it (it is repeated in the
   * background). {@code newCondition()} is not supported. A thread that ends without unlocking
   * leaves its lease held, and renewed, until the client is closed or {@code maxHold} is over.
   */
  Lock asLock();
}
