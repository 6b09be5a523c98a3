package io.leasehold.redis;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The keys of one lock: the lock itself is its name, as it is; its companions are {@code
 * leasehold:<kind>:{<tag>}:<name>}, where the tag puts them into the lock's cluster slot.
 */
final class LockKeys {
  private final byte[] lock;
  private final int slot;

  private LockKeys(byte[] lock) {
    this.lock = lock;
    this.slot = ClusterSlots.of(lock);
  }

  /**
   * The keys of a name.
   *
   * @throws IllegalArgumentException for text that UTF-8 cannot express (half a surrogate pair):
   *     replacing it would give two names one lock
   */
  static LockKeys of(String name) {
    try {
      ByteBuffer bytes =
          StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name)); // strict
      byte[] lock = new byte[bytes.remaining()];
      bytes.get(lock);
      return new LockKeys(lock);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("a lock's name contains half a surrogate pair", e);
    }
  }

  /** The cluster slot of all these keys. */
  int slot() {
    return slot;
  }

  /** K: the owner, with an expiry. */
  byte[] lock() {
    return lock;
  }

  /** F: the highest token. */
  byte[] fence() {
    return companion("fence");
  }

  /** W: the waiting clients. */
  byte[] waiters() {
    return companion("waiters");
  }

  /** The owner from whom an operator took the lock. */
  byte[] forced() {
    return companion("forced");
  }

  private byte[] companion(String kind) {
    ByteArrayOutputStream key = new ByteArrayOutputStream(lock.length + 32);
    key.writeBytes(("leasehold:" + kind + ":{").getBytes(StandardCharsets.US_ASCII));
    key.writeBytes(ClusterSlots.tag(slot));
    key.writeBytes("}:".getBytes(StandardCharsets.US_ASCII));
    key.writeBytes(lock);
    return key.toByteArray();
  }
}
