package io.leasehold.redis;

import java.util.regex.Pattern;

/**
 * A pattern of names: {@code *} for any text, {@code ?} for any character, {@code [a-c]} for one of
 * these, {@code [^a-c]} for any other, {@code \} before a character that means itself. A server
 * compares bytes, and takes a letter that is not ASCII for several: so it is asked for a little
 * more, and what it tells is looked at here.
 */
final class NamePattern {
  private final StringBuilder onServer = new StringBuilder();
  private final StringBuilder exact = new StringBuilder();
  private final Pattern compiled;

  NamePattern(String pattern) {
    int at = 0;
    while (at < pattern.length()) {
      at = part(pattern, at);
    }
    this.compiled = Pattern.compile(exact.toString(), Pattern.DOTALL);
  }

  /** What SCAN takes. */
  String onServer() {
    return onServer.toString();
  }

  boolean matches(String name) {
    return compiled.matcher(name).matches();
  }

  /** Reads the part at an index, and tells where the next one is. */
  private int part(String pattern, int at) {
    int point = pattern.codePointAt(at);
    int next = at + Character.charCount(point);
    switch (point) {
      case '*' -> any(".*");
      case '?' -> any(".");
      case '\\' -> {
        int meant = next < pattern.length() ? pattern.codePointAt(next) : point;
        literal(meant);
        return next < pattern.length() ? next + Character.charCount(meant) : next;
      }
      case '[' -> {
        int end = end(pattern, next);
        if (end < 0) {
          literal(point);
        } else {
          any(oneOf(pattern.substring(next, end)));
          return end + 1;
        }
      }
      default -> literal(point);
    }
    return next;
  }

  private static int end(String pattern, int from) {
    for (int i = from; i < pattern.length(); i++) {
      if (pattern.charAt(i) == '\\') {
        i++;
      } else if (pattern.charAt(i) == ']' && i > from) {
        return i;
      }
    }
    return -1;
  }

  private void any(String regex) {
    onServer.append('*');
    exact.append(regex);
  }

  private void literal(int point) {
    if ("*?[]\\".indexOf(point) >= 0) {
      onServer.append('\\');
    }
    onServer.appendCodePoint(point);
    exact.append(Pattern.quote(Character.toString(point)));
  }

  /** What stands in brackets, as a class of characters. */
  private static String oneOf(String inside) {
    boolean none = inside.length() > 1 && inside.startsWith("^");
    int[] points = (none ? inside.substring(1) : inside).codePoints().toArray();
    StringBuilder regex = new StringBuilder(none ? "[^" : "[");
    for (int i = 0; i < points.length; i++) {
      if (points[i] == '\\' && i + 1 < points.length) {
        i++;
      }
      int from = points[i];
      int to = from;
      if (i + 2 < points.length && points[i + 1] == '-') {
        i += 2;
        to = points[i];
      }
      regex.append(String.format("\\x{%x}-\\x{%x}", Math.min(from, to), Math.max(from, to)));
    }
    return regex.append(']').toString();
  }
}
