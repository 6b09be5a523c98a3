package io.leasehold.redis;

/**
 * The keys of one semaphore, all in the cluster slot of its name.
 *
 * @param slot that slot
 * @param holders S: the owners that have a permit, by the ends of their leases
 * @param fence F: the highest token
 * @param waiters W: the waiting clients
 * @param forced the owners from whom an operator took their permits
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them, or writes into them
record PermitKeys(int slot, byte[] holders, byte[] fence, byte[] waiters, byte[] forced) {

  static final String WAITERS = "sem-waiters";

  /** As {@link LockKeys#of}. */
  static PermitKeys of(String name) {
    LockKeys keys = LockKeys.of(name);
    return new PermitKeys(
        keys.slot(),
        keys.companion("sem-holders"),
        keys.companion("sem-fence"),
        keys.companion(WAITERS),
        keys.companion("sem-forced"));
  }

  /** What an extension needs. */
  HeldKeys held() {
    return new HeldKeys(slot, holders, forced, fence);
  }
}
