package io.leasehold.tck.history;

import java.util.Locale;

/** What was acquired. */
public enum LockKind {
  /** A plain lock, or several of them at once. */
  MUTEX,
  /** The readers' side of a read-write lock. */
  READ,
  /** The writers' side of a read-write lock. */
  WRITE,
  /** A permit of a semaphore. */
  PERMIT;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
