package io.leasehold.ctl;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.StringJoiner;

/**
 * Values as JSON, on one line: maps, lists, texts, numbers, truth values, and null for what is
 * empty. Written by hand: a library would be most of the time that the jar takes to start.
 */
public final class Json {
  private Json() {}

  /** A value as JSON. Whatever is none of the kinds above is taken for its text. */
  public static String of(Object value) {
    if (value instanceof Optional<?> optional) {
      return optional.map(Json::of).orElse("null");
    }
    if (value instanceof OptionalLong optional) {
      return optional.isPresent() ? Long.toString(optional.getAsLong()) : "null";
    }
    if (value instanceof Map<?, ?> map) {
      StringJoiner members = new StringJoiner(",", "{", "}");
      map.forEach((key, member) -> members.add(quoted(String.valueOf(key)) + ":" + of(member)));
      return members.toString();
    }
    if (value instanceof Iterable<?> items) {
      StringJoiner list = new StringJoiner(",", "[", "]");
      items.forEach(item -> list.add(of(item)));
      return list.toString();
    }
    if (value instanceof Boolean || value instanceof Integer || value instanceof Long) {
      return value.toString();
    }
    return quoted(value.toString());
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ' || c == '\u007f' || Character.isSurrogate(c)) {
        json.append(String.format("\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }
}
