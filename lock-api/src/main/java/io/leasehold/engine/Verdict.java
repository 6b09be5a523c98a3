package io.leasehold.engine;

import io.leasehold.LockException;
import io.leasehold.spi.GrantReply;

/** What an answer means for a call. */
sealed interface Verdict {

  /** The lock is ours. */
  record Won(HeldLease lease) implements Verdict {}

  /** Not yet: ask again at this moment of the monotonic clock, unless something happens before. */
  record Retry(long atNanos, GrantReply because) implements Verdict {}

  /** Not at all. */
  record GiveUp(LockException why) implements Verdict {}
}
