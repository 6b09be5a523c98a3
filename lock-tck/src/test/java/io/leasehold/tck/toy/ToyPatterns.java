package io.leasehold.tck.toy;

/** Patterns of names: {@code *}, {@code ?}, {@code [a-c]}, and a backslash before what is meant. */
final class ToyPatterns {
  private ToyPatterns() {}

  static boolean matches(String pattern, String name) {
    if (pattern.isEmpty()) {
      return name.isEmpty();
    }
    char first = pattern.charAt(0);
    String rest = pattern.substring(1);
    if (first == '*') {
      return matches(rest, name) || (!name.isEmpty() && matches(pattern, name.substring(1)));
    }
    if (name.isEmpty()) {
      return false;
    }
    char c = name.charAt(0);
    String tail = name.substring(1);
    int close = first == '[' ? rest.indexOf(']') : -1;
    if (close >= 0) {
      return isIn(rest.substring(0, close), c) && matches(rest.substring(close + 1), tail);
    }
    if (first == '\\' && !rest.isEmpty()) {
      return rest.charAt(0) == c && matches(rest.substring(1), tail);
    }
    return (first == '?' || first == c) && matches(rest, tail);
  }

  private static boolean isIn(String set, char c) {
    for (int i = 0; i < set.length(); i++) {
      boolean range = i + 2 < set.length() && set.charAt(i + 1) == '-';
      if (range && set.charAt(i) <= c && c <= set.charAt(i + 2)) {
        return true;
      }
      if (set.charAt(i) == c) {
        return true;
      }
    }
    return false;
  }
}
