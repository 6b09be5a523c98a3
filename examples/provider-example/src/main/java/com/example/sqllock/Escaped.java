package com.example.sqllock;

/**
 * Text as a column can keep it: PostgreSQL has no NUL in its texts, and locks may have it in their
 * names. Everything else stays readable for whoever looks at the table.
 */
final class Escaped {
  private Escaped() {}

  static String of(String text) {
    return text.replace("\\", "\\\\").replace("\0", "\\0");
  }

  static String undone(String stored) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < stored.length(); i++) {
      char c = stored.charAt(i);
      if (c == '\\' && i + 1 < stored.length()) {
        i++;
        text.append(stored.charAt(i) == '0' ? '\0' : stored.charAt(i));
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }
}
