package io.leasehold;

/**
 * What a holder is told when its lease is lost.
 *
 * @param lockName the lock's name
 * @param reason why
 */
public record LeaseLoss(String lockName, LossReason reason) {}
