package io.leasehold.redis;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one name, all in one cluster slot: the lock itself is the name, its companions are
 * {@code leasehold:<kind>:{<tag>}:<name>}, where the tag puts them into the slot of the name.
 * Thread-safe: each is made when it is needed first, by two at once, perhaps, but always the same.
 */
final class LockKeys {
  private static final int COUNT = Key.values().length;

  private final byte[] lock;
  private final int slot;
  private final boolean clustered;
  private final byte[] @Nullable [] made = new byte[COUNT][];

  private LockKeys(byte[] lock, boolean clustered) {
    this.lock = lock;
    this.slot = ClusterSlots.of(lock);
    this.clustered = clustered;
  }

  /**
   * The keys of a name.
   *
   * @param clustered whether keys of different slots may be kept by different servers
   * @throws IllegalArgumentException for text that UTF-8 cannot express (half a surrogate pair):
   *     replacing it would give two names one lock
   */
  static LockKeys of(String name, boolean clustered) {
    try {
      ByteBuffer bytes =
          StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name)); // strict
      byte[] lock = new byte[bytes.remaining()];
      bytes.get(lock);
      return new LockKeys(lock, clustered);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("a lock's name contains half a surrogate pair", e);
    }
  }

  /** The cluster slot of all these keys. */
  int slot() {
    return slot;
  }

  @SuppressWarnings("EnumOrdinal") // a place in memory for each key
  byte[] get(Key key) {
    byte[] known = made[key.ordinal()];
    if (known == null) {
      known =
          switch (key) {
            case LOCK -> lock;
            case GUARD -> Guard.key(slot, clustered);
            default -> companion(key);
          };
      made[key.ordinal()] = known;
    }
    return known;
  }

  /** A key as text. */
  String text(Key key) {
    return new String(get(key), StandardCharsets.UTF_8);
  }

  private byte[] companion(Key key) {
    byte[] start = key.prefix().getBytes(StandardCharsets.US_ASCII);
    byte[] tag = ClusterSlots.tag(slot);
    return ByteBuffer.allocate(start.length + tag.length + 2 + lock.length)
        .put(start)
        .put(tag)
        .put((byte) '}')
        .put((byte) ':')
        .put(lock)
        .array();
  }

  /** The name to which a companion belongs. */
  static String nameOf(String companion) {
    return companion.substring(companion.indexOf("}:") + 2); // a tag has no braces
  }
}
