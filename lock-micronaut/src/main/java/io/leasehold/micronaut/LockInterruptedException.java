package io.leasehold.micronaut;

import io.leasehold.LockException;
import io.leasehold.spi.Printable;

/**
 * The thread was interrupted while a {@link Locked} method waited for its lock. Nothing is held,
 * the method was not called, and the thread's interrupt flag is set.
 */
public final class LockInterruptedException extends LockException {
  private static final long serialVersionUID = 1L;

  LockInterruptedException(String lockName, InterruptedException cause) {
    super("Interrupted while waiting for the lock '" + Printable.of(lockName) + "'", cause);
  }
}
