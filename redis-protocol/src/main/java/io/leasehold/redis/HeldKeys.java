package io.leasehold.redis;

import java.util.List;

/**
 * The keys of something that is extended.
 *
 * @param slot the cluster slot of all of them
 * @param keys who has it, and then what else the script takes
 */
record HeldKeys(int slot, List<byte[]> keys) {

  /**
   * @param slot the cluster slot of all of them
   * @param held who has it
   * @param forced from whom an operator took it
   * @param fence F: the highest token
   */
  HeldKeys(int slot, byte[] held, byte[] forced, byte[] fence) {
    this(slot, List.of(held, forced, fence));
  }

  /** Those of a plain lock. */
  static HeldKeys ofLock(String name) {
    LockKeys keys = LockKeys.of(name);
    return new HeldKeys(keys.slot(), keys.lock(), keys.forced(), keys.fence());
  }
}
