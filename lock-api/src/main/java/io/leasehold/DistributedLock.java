package io.leasehold;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;

/**
 * A lock that excludes every other holder in every process that uses the same servers. Thread-safe,
 * cheap to make, holds nothing itself: each acquisition is a {@link Lease} of its own, and two
 * acquisitions in one process exclude each other like strangers.
 *
 * <p>Every method that acquires may also throw {@link LockUnavailableException} (no server or no
 * quorum could answer), {@link LockClosedException}, and {@link LockConfigurationException}.
 */
public interface DistributedLock {

  /** The lock's name, without the client's prefix. */
  String name();

  /**
   * Waits for the lock, at most the configured {@code waitTime}.
   *
   * @throws LockTimeoutException when somebody else held it all the time
   * @throws InterruptedException when the thread is interrupted; nothing is held then
   */
  Lease acquire() throws InterruptedException;

  /**
   * Waits for the lock. Zero or less: one attempt.
   *
   * @throws LockTimeoutException when somebody else held it all the time
   * @throws InterruptedException when the thread is interrupted; nothing is held then
   */
  Lease acquire(Duration wait) throws InterruptedException;

  /**
   * Takes the lock if it is free. Never waits for a holder: one command, and another only when the
   * server's clock turned out to be set. Bounded by the command timeout.
   */
  Optional<Lease> tryAcquire();

  /**
   * Waits for the lock; empty when somebody else held it all the time.
   *
   * @throws InterruptedException when the thread is interrupted; nothing is held then
   */
  Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

  /**
   * Waits for the lock without blocking the calling thread. The future fails with what {@link
   * #acquire(Duration)} throws. Cancelling it gives up: whatever was, or is later, granted to it is
   * released in the background. Actions on the future run on a thread of the client's.
   */
  CompletableFuture<Lease> acquireAsync(Duration wait);

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
