package io.leasehold.redis;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one lock: the lock itself is its name, as it is; its companions are {@code
 * leasehold:<kind>:{<tag>}:<name>}, where the tag puts them into the lock's cluster slot.
 */
final class LockKeys {
  private final byte[] lock;
  private final int slot;

  // Each made when it is needed first; by two at once, perhaps, but always the same.
  private byte @Nullable [] fence;
  private byte @Nullable [] waiters;
  private byte @Nullable [] turn;
  private byte @Nullable [] forced;

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
    byte[] known = fence;
    if (known == null) {
      known = companion("fence");
      fence = known;
    }
    return known;
  }

  /** W: the waiting clients. */
  byte[] waiters() {
    byte[] known = waiters;
    if (known == null) {
      known = companion("waiters");
      waiters = known;
    }
    return known;
  }

  /** T: whose turn it is in a fair line. */
  byte[] turn() {
    byte[] known = turn;
    if (known == null) {
      known = companion("turn");
      turn = known;
    }
    return known;
  }

  /** The owner from whom an operator took the lock. */
  byte[] forced() {
    byte[] known = forced;
    if (known == null) {
      known = companion("forced");
      forced = known;
    }
    return known;
  }

  /** C: with {@code layout=setnx}, who gave the lock's key its value. */
  byte[] claim() {
    return companion("setnx");
  }

  /** How the companions of a kind begin; no lock's name does. */
  static String companionsOf(String kind) {
    return "leasehold:" + kind + ":{";
  }

  /** The name to which a companion belongs. */
  static String nameOf(String companion) {
    return companion.substring(companion.indexOf("}:") + 2); // a tag has no braces
  }

  /** A further key of this name, in the lock's slot. */
  byte[] companion(String kind) {
    ByteArrayOutputStream key = new ByteArrayOutputStream(lock.length + 32);
    key.writeBytes(companionsOf(kind).getBytes(StandardCharsets.US_ASCII));
    key.writeBytes(ClusterSlots.tag(slot));
    key.writeBytes("}:".getBytes(StandardCharsets.US_ASCII));
    key.writeBytes(lock);
    return key.toByteArray();
  }
}
