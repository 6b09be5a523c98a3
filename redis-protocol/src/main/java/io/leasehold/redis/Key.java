package io.leasehold.redis;

/** The keys of a name, by what they hold. The names of the companions are part of the layout. */
enum Key {
  /** K: the owner of the lock, with an expiry. Its key is the lock's name, as it is. */
  LOCK(""),
  /** F: the highest token. */
  FENCE("fence"),
  /** W: the waiting clients. */
  WAITERS("waiters"),
  /** T: whose turn it is in a fair line. */
  TURN("turn"),
  /** The owner from whom an operator took the lock. */
  FORCED("forced"),
  /** C: with {@code layout=setnx}, who gave the lock's key its value. */
  CLAIM("setnx"),

  /** The owner that writes, with an expiry. */
  WRITER("rw-writer"),
  /** The owners that read, by the ends of their leases. */
  READERS("rw-readers"),
  /** F: the highest token of either side. */
  RW_FENCE("rw-fence"),
  /** B: F before the first of the readers. */
  FENCE_BEFORE("rw-fence-before"),
  /** The clients that wait to write. */
  WRITING("rw-writing"),
  /** The clients that wait to read. */
  READING("rw-reading"),
  /** P: from when on readers are kept out, because a writer waits. */
  PENDING("rw-pending"),
  /** The writer from whom an operator took the lock. */
  FORCED_WRITER("rw-forced-writer"),
  /** The readers from whom an operator took it. */
  FORCED_READERS("rw-forced-readers"),

  /** S: the owners that have a permit, by the ends of their leases. */
  HOLDERS("sem-holders"),
  /** F: the highest token. */
  PERMITS_FENCE("sem-fence"),
  /** W: the clients that wait for a permit. */
  PERMITS_WAITERS("sem-waiters"),
  /** The owners from whom an operator took their permits. */
  FORCED_PERMITS("sem-forced"),

  /** G: the guard, one for the server or, in a cluster, for the slot; see {@link Guard}. */
  GUARD("guard");

  private final String kind;

  Key(String kind) {
    this.kind = kind;
  }

  /** How the keys of this kind begin, and no lock's name does. */
  String prefix() {
    return "leasehold:" + kind + ":{";
  }
}
