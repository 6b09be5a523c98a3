package io.leasehold.micronaut;

/** Placeholders of Micronaut's configuration, which have no value at build time. */
final class Placeholders {
  private Placeholders() {}

  /** The text with a letter in the place of each placeholder, also of nested ones. */
  static String removed(String text) {
    StringBuilder rest = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      if (text.startsWith("${", at)) {
        rest.append('x');
        at = end(text, at + 2);
      } else {
        rest.append(text.charAt(at));
        at++;
      }
    }
    return rest.toString();
  }

  private static int end(String text, int start) {
    int depth = 1;
    int at = start;
    while (at < text.length() && depth > 0) {
      char c = text.charAt(at);
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      at++;
    }
    return at;
  }
}
