package io.leasehold;

import io.leasehold.spi.Printable;

/** The lease ended before its holder released it: somebody else may be holding the lock. */
public final class LeaseLostException extends LockException {
  private static final long serialVersionUID = 1L;

  private final String lockName;
  private final LossReason reason;

  /**
   * @param lockName the lock's name
   * @param reason why
   */
  public LeaseLostException(String lockName, LossReason reason) {
    super(
        "The lease of the lock '" + Printable.of(lockName) + "' was lost: " + reason.description());
    this.lockName = lockName;
    this.reason = reason;
  }

  /** The lock's name. */
  public String lockName() {
    return lockName;
  }

  /** Why the lease was lost. */
  public LossReason reason() {
    return reason;
  }
}
