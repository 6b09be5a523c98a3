package io.leasehold.tck.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads one JSON text, strictly: objects become maps in their order, numbers doubles, and {@code
 * null} the constant {@link #NULL}. Enough to tell a document from nonsense; the page itself leaves
 * reading to the browser.
 */
final class Json {
  static final Object NULL = new Object();

  private static final int DEPTH = 64; // none of our documents is deeper than 6
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException when it is not JSON; the message tells the line
   */
  static Object read(String text) {
    Json json = new Json(text);
    Object value = json.value(0);
    json.space();
    if (json.at < text.length()) {
      throw json.unexpected();
    }
    return value;
  }

  private Object value(int depth) {
    if (depth > DEPTH) {
      throw new IllegalArgumentException("more than " + DEPTH + " levels deep");
    }
    space();
    return switch (peek()) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", NULL);
      default -> number();
    };
  }

  private Map<String, Object> object(int depth) {
    Map<String, Object> members = new LinkedHashMap<>();
    at++;
    if (!taken('}')) {
      do {
        space();
        String key = string();
        expect(':');
        if (members.put(key, value(depth + 1)) != null) {
          throw new IllegalArgumentException("the member \"" + key + "\" twice in one object");
        }
      } while (taken(','));
      expect('}');
    }
    return members;
  }

  private List<Object> array(int depth) {
    List<Object> items = new ArrayList<>();
    at++;
    if (!taken(']')) {
      do {
        items.add(value(depth + 1));
      } while (taken(','));
      expect(']');
    }
    return items;
  }

  private String string() {
    if (peek() != '"') {
      throw unexpected();
    }
    at++;
    StringBuilder string = new StringBuilder();
    while (peek() != '"') {
      char c = peek();
      if (c < ' ') {
        throw unexpected();
      }
      at++;
      string.append(c == '\\' ? escaped() : c);
    }
    at++;
    return string.toString();
  }

  private char escaped() {
    char c = peek();
    int index = "\"\\/bfnrt".indexOf(c);
    if (index >= 0) {
      at++;
      return "\"\\/\b\f\n\r\t".charAt(index);
    }
    if (c != 'u' || at + 5 > text.length()) {
      throw unexpected();
    }
    int code = 0;
    for (int i = at + 1; i < at + 5; i++) {
      int digit = text.charAt(i) < 128 ? Character.digit(text.charAt(i), 16) : -1;
      if (digit < 0) {
        throw unexpected();
      }
      code = code * 16 + digit;
    }
    at += 5;
    return (char) code;
  }

  private Double number() {
    Matcher number = NUMBER.matcher(text).region(at, text.length());
    if (!number.lookingAt()) {
      throw unexpected();
    }
    at = number.end();
    return Double.valueOf(number.group());
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) {
      throw unexpected();
    }
    at += word.length();
    return value;
  }

  private boolean taken(char c) {
    space();
    boolean there = at < text.length() && text.charAt(at) == c;
    at += there ? 1 : 0;
    return there;
  }

  private void expect(char c) {
    if (!taken(c)) {
      throw unexpected();
    }
  }

  private char peek() {
    if (at >= text.length()) {
      throw unexpected();
    }
    return text.charAt(at);
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private IllegalArgumentException unexpected() {
    long line = text.substring(0, Math.min(at, text.length())).lines().count();
    return new IllegalArgumentException(
        "not JSON, at line "
            + Math.max(1, line)
            + (at < text.length() ? "" : ", where it ends too early"));
  }
}
