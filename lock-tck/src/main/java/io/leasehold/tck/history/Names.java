package io.leasehold.tck.history;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Names as a line of a history has them: every byte of their UTF-8 that is not a letter, a digit or
 * one of {@code - . _ ~ : * /} is written as {@code %} and two hexadecimal digits.
 */
final class Names {
  private static final String HEX = "0123456789ABCDEF";

  private Names() {}

  static String encoded(String name) {
    boolean plain = !name.isEmpty();
    for (int i = 0; plain && i < name.length(); i++) {
      plain = isPlain(name.charAt(i));
    }
    return plain ? name : escaped(name);
  }

  private static String escaped(String name) {
    StringBuilder text = new StringBuilder(name.length() + 16);
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      if (isPlain((char) (b & 0xff))) {
        text.append((char) b);
      } else {
        text.append('%').append(HEX.charAt((b >> 4) & 15)).append(HEX.charAt(b & 15));
      }
    }
    return text.toString();
  }

  private static boolean isPlain(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "-._~:*/".indexOf(c) >= 0;
  }

  /**
   * The name that was written.
   *
   * @throws IllegalArgumentException when it cannot have been
   */
  static String decoded(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("an empty name");
    }
    ByteBuffer bytes = ByteBuffer.allocate(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isPlain(c)) {
        bytes.put((byte) c);
      } else if (c == '%' && i + 2 < text.length()) {
        bytes.put((byte) ((digit(text, ++i) << 4) | digit(text, ++i)));
      } else {
        throw new IllegalArgumentException("not a name: " + text);
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("not UTF-8: " + text, e);
    }
  }

  private static int digit(String text, int at) {
    int digit = HEX.indexOf(text.charAt(at));
    if (digit < 0) {
      throw new IllegalArgumentException("not a name: " + text);
    }
    return digit;
  }
}
