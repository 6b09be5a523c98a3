package io.leasehold.tck.history;

/** What a history may break. What each one takes to be certain of is told in its checker. */
public enum Rule {
  /** Two claims of a mutex, or of two writers, at the same time. */
  OVERLAP,
  /** A reader's claim and a writer's at the same time. */
  READER_BESIDE_WRITER,
  /** More permits of a semaphore claimed at the same time than any of their holders allows. */
  TOO_MANY_PERMITS,
  /** A token that is not larger than that of an earlier grant. */
  TOKEN_ORDER,
  /** A token that two grants have. */
  TOKEN_REUSED,
  /** A token outside (0, 2⁵³). */
  TOKEN_RANGE,
  /** A lease that was granted, or still held, after its client's close had returned. */
  GRANT_AFTER_CLOSE,
  /** A grant by servers that have restarted, before the time was over that they must wait. */
  GRANT_IN_QUARANTINE,
  /** A lease that was live when it was released, and the release was not acknowledged. */
  UNACKNOWLEDGED_RELEASE,
  /** A lease that was lost, and nothing in the history explains why. */
  UNEXPLAINED_LOSS,
  /** A loss that was told twice, or of a lease that was released, or not at all. */
  LOSS_MISTOLD,
  /** A lease that was held again after it had ended. */
  LEASE_REVIVED,
  /** A lease that ended before the time that it had said to be valid for. */
  OPTIMISTIC_REMAINING,
  /** A call that was told that somebody else holds the lock, when nobody can have. */
  FALSE_BUSY,
  /** A call that waited too long for a lock that was free. */
  STARVED,
  /** A call that waited too long while another client took the lock again and again. */
  HOARDED
}
