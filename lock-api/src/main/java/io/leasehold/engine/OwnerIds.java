package io.leasehold.engine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Makes owner ids: the client's id, a counter, and 64 random bits. Unique for each attempt, so that
 * a late release of one attempt never deletes the lock of the next; and unpredictable, so that
 * nobody can release what is not theirs. The random bits are drawn many at a time: a secure source
 * takes longer for its first byte than for the next thousand.
 */
final class OwnerIds {
  private static final int AT_ONCE = 256;
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final int DIGITS = 16;

  private static final class Supply {
    private final ByteBuffer bits = ByteBuffer.allocate(AT_ONCE * Long.BYTES);
    private final AtomicInteger used = new AtomicInteger();
  }

  private final RandomGenerator random;
  private final byte[] prefix;
  private final AtomicLong count = new AtomicLong();
  private volatile Supply supply;

  OwnerIds(String clientId, RandomGenerator random) {
    this.random = random;
    this.prefix = (clientId + "-").getBytes(StandardCharsets.US_ASCII);
    this.supply = drawn();
  }

  /** The number of the next attempt, or of something else that must differ from all of them. */
  long nextNumber() {
    return count.incrementAndGet();
  }

  String next() {
    long number = nextNumber();
    int digits = Math.max(1, DIGITS - Long.numberOfLeadingZeros(number) / 4);
    byte[] text = new byte[prefix.length + digits + 1 + DIGITS];
    System.arraycopy(prefix, 0, text, 0, prefix.length);
    write(number, text, prefix.length, digits);
    text[prefix.length + digits] = '-';
    write(nextBits(), text, prefix.length + digits + 1, DIGITS);
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  private static void write(long value, byte[] to, int at, int digits) {
    long rest = value;
    for (int i = at + digits - 1; i >= at; i--) {
      to[i] = HEX[(int) (rest & 15)];
      rest >>>= 4;
    }
  }

  private long nextBits() {
    while (true) {
      Supply now = supply;
      int index = now.used.getAndIncrement();
      if (index < AT_ONCE) {
        return now.bits.getLong(index * Long.BYTES);
      }
      draw(now);
    }
  }

  private synchronized void draw(Supply spent) {
    if (supply == spent) {
      supply = drawn();
    }
  }

  private Supply drawn() {
    Supply fresh = new Supply();
    random.nextBytes(fresh.bits.array());
    return fresh;
  }
}
