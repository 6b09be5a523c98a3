package io.leasehold;

import io.leasehold.spi.Printable;
import java.time.Duration;

/** Somebody else held the lock until the caller's time to wait was over. Nothing is held. */
public final class LockTimeoutException extends LockException {
  private static final long serialVersionUID = 1L;

  private final String lockName;
  private final Duration waited;

  /**
   * @param lockName the lock's name
   * @param waited how long the caller was willing to wait
   */
  public LockTimeoutException(String lockName, Duration waited) {
    super("The lock '" + Printable.of(lockName) + "' was busy for " + waited.toMillis() + " ms");
    this.lockName = lockName;
    this.waited = waited;
  }

  /** The lock's name. */
  public String lockName() {
    return lockName;
  }

  /** How long the caller was willing to wait. */
  public Duration waited() {
    return waited;
  }
}
