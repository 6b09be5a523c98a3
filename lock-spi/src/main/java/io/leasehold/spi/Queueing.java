package io.leasehold.spi;

/** What a grant that finds the lock busy shall do about waiting. */
public enum Queueing {
  /** Nothing: just answer. */
  NONE,
  /**
   * Enter this client among the waiters, so that a release wakes it. Others may still come first.
   * Needs {@link Capability#WAKE_UPS}, and a {@link LockNode#watch} that is under way.
   */
  WAKE,
  /**
   * As {@link #WAKE}, and take a place in the line: whoever entered earlier is served earlier.
   * Needs {@link Capability#FAIRNESS}.
   */
  FAIR
}
