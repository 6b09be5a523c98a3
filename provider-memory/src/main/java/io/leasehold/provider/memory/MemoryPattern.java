package io.leasehold.provider.memory;

import java.util.regex.Pattern;

/** Patterns of names, as {@link io.leasehold.spi.LockListing#list} has them. */
final class MemoryPattern {
  private MemoryPattern() {}

  /** The same as a regular expression. A bracket that is never closed means itself. */
  static Pattern of(String pattern) {
    StringBuilder regex = new StringBuilder();
    int i = 0;
    while (i < pattern.length()) {
      char c = pattern.charAt(i);
      int close = c == '[' ? pattern.indexOf(']', i) : -1;
      if (c == '*') {
        regex.append(".*");
      } else if (c == '?') {
        regex.append('.');
      } else if (close > i + 1) {
        regex.append(oneOf(pattern.substring(i + 1, close)));
        i = close;
      } else if (c == '\\' && i + 1 < pattern.length()) {
        regex.append(literal(pattern.charAt(++i)));
      } else {
        regex.append(literal(c));
      }
      i++;
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  private static String oneOf(String characters) {
    StringBuilder set = new StringBuilder("[");
    for (int i = 0; i < characters.length(); i++) {
      char c = characters.charAt(i);
      boolean isRange = c == '-' && i > 0 && i + 1 < characters.length();
      boolean isNot = c == '^' && i == 0 && characters.length() > 1;
      set.append(isRange || isNot ? String.valueOf(c) : literal(c));
    }
    return set.append(']').toString();
  }

  private static String literal(char c) {
    return Character.isLetterOrDigit(c) || c > 127
        ? String.valueOf(c)
        : "\\x%02x".formatted((int) c);
  }
}
