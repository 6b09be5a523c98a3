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
   * Take the {@link GrantRequest#place()} in the line, if there is one, in the order in which the
   * server sees them; who asks again keeps it. As long as somebody stands in line and answers, the
   * lock is granted only to the one whose turn it is, and everybody else who asks with FAIR is told
   * {@link Busy}. See {@link FairLine}. Needs {@link Capability#FAIRNESS}.
   */
  FAIR
}
