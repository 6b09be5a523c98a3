package io.leasehold;

import io.leasehold.spi.Printable;

/**
 * What a holder is told when its lease is lost.
 *
 * @param lockName the lock's name
 * @param reason why
 */
public record LeaseLoss(String lockName, LossReason reason) {

  /** For people: the name is printable. */
  @Override
  public String toString() {
    return "LeaseLoss[lockName=" + Printable.of(lockName) + ", reason=" + reason + "]";
  }
}
