package io.leasehold.engine;

/** Patterns of names, as {@link io.leasehold.spi.LockListing} reads them. */
final class Globs {
  private Globs() {}

  /** A pattern that means this very text. */
  static String quoted(String text) {
    StringBuilder pattern = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ("*?[]^\\".indexOf(c) >= 0) {
        pattern.append('\\');
      }
      pattern.append(c);
    }
    return pattern.toString();
  }
}
