package io.leasehold.redis;

/**
 * The keys of one read-write lock, all in the cluster slot of its name.
 *
 * @param slot that slot
 * @param writer the owner that writes, with an expiry
 * @param readers the owners that read, by the ends of their leases
 * @param fence F: the highest token of either side
 * @param fenceBefore B: F before the first of the readers
 * @param writing the clients that wait to write
 * @param reading the clients that wait to read
 * @param pending P: from when on readers are kept out, because a writer waits
 * @param forcedWriter the writer from whom an operator took the lock
 * @param forcedReaders the readers from whom an operator took it
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them, or writes into them
record ReadWriteKeys(
    int slot,
    byte[] writer,
    byte[] readers,
    byte[] fence,
    byte[] fenceBefore,
    byte[] writing,
    byte[] reading,
    byte[] pending,
    byte[] forcedWriter,
    byte[] forcedReaders) {

  static final String WRITING = "rw-writing";
  static final String READING = "rw-reading";

  /** As {@link LockKeys#of}. */
  static ReadWriteKeys of(String name) {
    LockKeys keys = LockKeys.of(name);
    return new ReadWriteKeys(
        keys.slot(),
        keys.companion("rw-writer"),
        keys.companion("rw-readers"),
        keys.companion("rw-fence"),
        keys.companion("rw-fence-before"),
        keys.companion(WRITING),
        keys.companion(READING),
        keys.companion("rw-pending"),
        keys.companion("rw-forced-writer"),
        keys.companion("rw-forced-readers"));
  }

  /** What an extension of the writer needs. */
  HeldKeys heldByWriter() {
    return new HeldKeys(slot, writer, forcedWriter, fence);
  }

  /** What an extension of a reader needs. */
  HeldKeys heldByReaders() {
    return new HeldKeys(slot, readers, forcedReaders, fence);
  }
}
