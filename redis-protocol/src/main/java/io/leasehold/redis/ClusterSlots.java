package io.leasehold.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;

/**
 * The slot of a key in a Redis Cluster, and for each slot a short tag that lies in it.
 *
 * <p>A lock's companions must lie in the slot of the lock's own key. Wrapping the name in braces
 * would not do: a name may contain braces itself. So a companion's key starts with a tag of our own
 * that has the same slot as the name.
 *
 * <p><b>The tags are part of the layout on the server.</b> Clients of all versions must agree on
 * them: neither the alphabet nor the order in which candidates are tried may ever change.
 */
public final class ClusterSlots {

  /** How many slots there are. */
  public static final int COUNT = 16_384;

  private static final byte[] ALPHABET =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
          .getBytes(StandardCharsets.US_ASCII);

  private ClusterSlots() {}

  /** The slot of a key: of its hash tag, if it has one. */
  public static int of(byte[] key) {
    int open = indexOf(key, '{', 0);
    if (open >= 0) {
      int close = indexOf(key, '}', open + 1);
      if (close > open + 1) {
        return crc16(key, open + 1, close) % COUNT;
      }
    }
    return crc16(key, 0, key.length) % COUNT;
  }

  /** The shortest tag in a slot; of several, the first in ASCII order. Do not change the array. */
  static byte[] tag(int slot) {
    return Tags.TABLE[slot];
  }

  private static int indexOf(byte[] key, char wanted, int from) {
    for (int i = from; i < key.length; i++) {
      if (key[i] == wanted) {
        return i;
      }
    }
    return -1;
  }

  /** CRC-16/XMODEM: polynomial 0x1021, start 0, nothing reflected. */
  static int crc16(byte[] bytes, int from, int to) {
    int crc = 0;
    for (int i = from; i < to; i++) {
      crc ^= (bytes[i] & 0xFF) << 8;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ 0x1021;
      }
    }
    return crc & 0xFFFF;
  }

  /** Holds the table, so that it is computed when it is first needed. */
  private static final class Tags {
    private static final byte[][] TABLE = compute();

    /** Tries the tags by length, and those of one length in ASCII order. */
    private static byte[][] compute() {
      byte[][] table = new byte[COUNT][0];
      Queue<byte[]> beginnings = new ArrayDeque<>(List.of(new byte[0]));
      for (int missing = COUNT; missing > 0; ) {
        byte[] beginning = beginnings.remove();
        for (byte last : ALPHABET) {
          byte[] tag = Arrays.copyOf(beginning, beginning.length + 1);
          tag[beginning.length] = last;
          beginnings.add(tag);
          int slot = crc16(tag, 0, tag.length) % COUNT;
          if (table[slot].length == 0) {
            table[slot] = tag;
            missing--;
          }
        }
      }
      return table;
    }
  }
}
