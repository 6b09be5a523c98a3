package io.leasehold.spi;

/**
 * Text that somebody else chose, such as the name of a lock, as it may stand in a message, a log
 * line or on a terminal. A line break in a name would make two lines of one, of which the second
 * says whatever its author likes; an escape sequence would be obeyed by the terminal that shows it.
 *
 * <p>For people alone: what programs compare, such as {@code lockName()} of an exception or the
 * attribute of a span, stays as it is.
 */
public final class Printable {
  private Printable() {}

  /**
   * The text with everything that is not seen written as {@code \}{@code uXXXX}: control characters
   * with DEL and those of C1, separators of lines, format characters (which turn the direction of
   * what follows, for example), halves of pairs. The same text when there is none of these, and for
   * a text that was made printable before.
   */
  public static String of(String text) {
    int first = firstHidden(text);
    return first == text.length() ? text : escaped(text, first);
  }

  private static int firstHidden(String text) {
    int at = 0;
    while (at < text.length() && !isHidden(text.codePointAt(at))) {
      at += Character.charCount(text.codePointAt(at));
    }
    return at;
  }

  private static String escaped(String text, int first) {
    StringBuilder shown = new StringBuilder(text.length() + 16).append(text, 0, first);
    text.substring(first)
        .codePoints()
        .forEach(
            point -> {
              if (!isHidden(point)) {
                shown.appendCodePoint(point);
              } else {
                for (char unit : Character.toChars(point)) {
                  shown.append(String.format("\\u%04x", (int) unit));
                }
              }
            });
    return shown.toString();
  }

  private static boolean isHidden(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }
}
