package io.leasehold.redis;

import java.nio.charset.StandardCharsets;

/** Numbers as the digits that scripts read. */
final class Ascii {
  private static final int MOST_DIGITS = 19;

  private static final byte[][] SMALL = new byte[16][];

  static {
    for (int i = 0; i < SMALL.length; i++) {
      SMALL[i] = Integer.toString(i).getBytes(StandardCharsets.US_ASCII);
    }
  }

  private Ascii() {}

  /** The digits of a number, with as little garbage as can be: it is done in every lock call. */
  static byte[] of(long number) {
    if (number < 0) {
      return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }
    if (number < SMALL.length) {
      return SMALL[(int) number];
    }
    int digits = 1;
    for (long rest = number / 10; rest > 0; rest /= 10) {
      digits++;
    }
    byte[] text = new byte[digits];
    long rest = number;
    for (int i = digits - 1; i >= 0; i--) {
      text[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return text;
  }

  /** What digits say; -1 when they are not digits, none at all, or too many. */
  static long parse(byte[] digits) {
    return parse(digits, 0, digits.length);
  }

  /** The same for a part of a text. */
  static long parse(byte[] digits, int from, int end) {
    if (from >= end || end - from >= MOST_DIGITS) {
      return -1;
    }
    long value = 0;
    for (int i = from; i < end; i++) {
      byte digit = digits[i];
      if (digit < '0' || digit > '9') {
        return -1;
      }
      value = value * 10 + (digit - '0');
    }
    return value;
  }
}
