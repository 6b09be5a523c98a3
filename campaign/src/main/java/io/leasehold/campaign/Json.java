package io.leasehold.campaign;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * As much of JSON as results need: objects, lists, text, whole numbers, fractions, true and false.
 * Objects are maps in their order, whole numbers longs.
 */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** Writes a value on one line. */
  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(out, value);
    return out.toString();
  }

  private static void write(StringBuilder out, Object value) {
    if (value instanceof Map<?, ?> map) {
      String separator = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(separator);
        quote(out, String.valueOf(entry.getKey()));
        out.append(": ");
        write(out, entry.getValue());
        separator = ", ";
      }
      out.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      String separator = "[";
      for (Object item : list) {
        out.append(separator);
        write(out, item);
        separator = ", ";
      }
      out.append(list.isEmpty() ? "[]" : "]");
    } else if (value instanceof Number || value instanceof Boolean) {
      out.append(value);
    } else {
      quote(out, String.valueOf(value));
    }
  }

  private static void quote(StringBuilder out, String value) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  /**
   * Reads one object.
   *
   * @throws IllegalArgumentException if the text is not one whole object
   */
  static Map<String, Object> readObject(String text) {
    Json json = new Json(text);
    try {
      Object value = json.value();
      json.blanks();
      if (json.at == text.length() && value instanceof Map<?, ?> map) {
        Map<String, Object> result = new LinkedHashMap<>();
        map.forEach((key, member) -> result.put(String.valueOf(key), member));
        return result;
      }
    } catch (StringIndexOutOfBoundsException e) {
      throw new IllegalArgumentException("the text ends early", e);
    }
    throw new IllegalArgumentException("no object, or more than one");
  }

  private Object value() {
    blanks();
    char c = text.charAt(at);
    return switch (c) {
      case '{' -> object();
      case '[' -> list();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      default -> number();
    };
  }

  private Map<String, Object> object() {
    Map<String, Object> map = new LinkedHashMap<>();
    at++;
    blanks();
    while (text.charAt(at) != '}') {
      String key = string();
      blanks();
      expect(':');
      map.put(key, value());
      blanks();
      if (text.charAt(at) == ',') {
        at++;
        blanks();
      }
    }
    at++;
    return map;
  }

  private List<Object> list() {
    List<Object> items = new ArrayList<>();
    at++;
    blanks();
    while (text.charAt(at) != ']') {
      items.add(value());
      blanks();
      if (text.charAt(at) == ',') {
        at++;
        blanks();
      }
    }
    at++;
    return items;
  }

  private String string() {
    expect('"');
    StringBuilder result = new StringBuilder();
    for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
      if (c != '\\') {
        result.append(c);
        continue;
      }
      char escaped = text.charAt(at++);
      switch (escaped) {
        case 'u' -> {
          result.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
          at += 4;
        }
        case 'n' -> result.append('\n');
        case 't' -> result.append('\t');
        default -> result.append(escaped);
      }
    }
    return result.toString();
  }

  private Object number() {
    int from = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String digits = text.substring(from, at);
    try {
      return digits.matches("-?\\d+") ? (Object) Long.valueOf(digits) : Double.valueOf(digits);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("no value at " + from, e);
    }
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) {
      throw new IllegalArgumentException("no value at " + at);
    }
    at += word.length();
    return value;
  }

  private void expect(char c) {
    if (text.charAt(at++) != c) {
      throw new IllegalArgumentException("no " + c + " at " + (at - 1));
    }
  }

  private void blanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }
}
