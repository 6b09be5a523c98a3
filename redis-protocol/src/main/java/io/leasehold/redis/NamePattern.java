package io.leasehold.redis;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pattern of names: {@code *} for any text, {@code ?} for any character, {@code [a-c]} for one of
 * these, {@code [^a-c]} for any other, {@code \} before a character that means itself. A server
 * compares bytes, and takes a letter that is not ASCII for several: so it is asked for a little
 * more, and its answer is filtered here.
 */
final class NamePattern {
  /** A character that means itself, some in brackets, or any other. */
  private static final Pattern PART =
      Pattern.compile("\\\\(.)|\\[((?:\\\\.|[^\\\\])(?:\\\\.|[^\\]\\\\])*)\\]|.", Pattern.DOTALL);

  private final StringBuilder onServer = new StringBuilder();
  private final StringBuilder exact = new StringBuilder();
  private final Pattern compiled;

  NamePattern(String pattern) {
    Matcher part = PART.matcher(pattern);
    while (part.find()) {
      if (part.group(1) != null) {
        literal(part.group(1));
      } else if (part.group(2) != null) {
        any(oneOf(part.group(2)));
      } else {
        switch (part.group()) {
          case "*" -> any(".*");
          case "?" -> any(".");
          default -> literal(part.group());
        }
      }
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

  private void any(String regex) {
    onServer.append('*');
    exact.append(regex);
  }

  private void literal(String character) {
    onServer.append("*?[]\\".contains(character) ? "\\" : "").append(character);
    exact.append(Pattern.quote(character));
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
