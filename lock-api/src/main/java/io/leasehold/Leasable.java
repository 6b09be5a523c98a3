package io.leasehold;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Something that is leased by its name. Thread-safe, cheap to make, holds nothing itself: each
 * acquisition is a {@link Lease} of its own, and belongs to whoever has that object.
 *
 * <p>Every method that acquires may also throw {@link LockUnavailableException} (no server or no
 * quorum could answer), {@link LockClosedException}, and {@link LockConfigurationException}.
 */
public interface Leasable {

  /** Its name, without the client's prefix. */
  String name();

  /**
   * Waits for it, at most the configured {@code waitTime}.
   *
   * @throws LockTimeoutException when somebody else held it all the time
   * @throws InterruptedException when the thread is interrupted; nothing is held then
   */
  Lease acquire() throws InterruptedException;

  /**
   * Waits for it. Zero or less: one attempt.
   *
   * @throws LockTimeoutException when somebody else held it all the time
   * @throws InterruptedException when the thread is interrupted; nothing is held then
   */
  Lease acquire(Duration wait) throws InterruptedException;

  /**
   * Takes it if it is free. Never waits for a holder: one command, and another only when the
   * server's clock turned out to be set. Bounded by the command timeout.
   */
  Optional<Lease> tryAcquire();

  /**
   * Waits for it; empty when somebody else held it all the time.
   *
   * @throws InterruptedException when the thread is interrupted; nothing is held then
   */
  Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

  /**
   * Waits for it without blocking the calling thread. The future fails with what {@link
   * #acquire(Duration)} throws. Cancelling it gives up: whatever was, or is later, granted to it is
   * released in the background. Actions on the future run on a thread of the client's.
   *
   * <p>Cancelling a dependent stage does not give up: the lock is taken all the same, and the
   * function of that stage is never called. So a stage that releases the lease must not be handed
   * out to callers that may cancel it; hand out its {@link CompletableFuture#copy()}.
   */
  CompletableFuture<Lease> acquireAsync(Duration wait);
}
