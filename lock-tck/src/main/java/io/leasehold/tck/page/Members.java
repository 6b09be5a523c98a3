package io.leasehold.tck.page;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The members of a JSON object, each asked for by its kind; what is of another is refused. */
final class Members {
  private final Map<?, ?> values;

  private Members(Map<?, ?> values) {
    this.values = values;
  }

  static Members of(Object json) {
    if (json instanceof Map<?, ?> values) {
      return new Members(values);
    }
    throw new IllegalArgumentException("not an object");
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  String text(String key) {
    return one(key, String.class, "a text");
  }

  void optionalText(String key) {
    if (has(key)) {
      text(key);
    }
  }

  String oneOf(String key, String... allowed) {
    String text = text(key);
    if (!List.of(allowed).contains(text)) {
      throw new IllegalArgumentException(
          "\"" + key + "\" is none of " + String.join(", ", allowed));
    }
    return text;
  }

  void optionalFlag(String key) {
    if (has(key)) {
      flag(key);
    }
  }

  boolean flag(String key) {
    return one(key, Boolean.class, "true or false");
  }

  double number(String key) {
    return one(key, Double.class, "a number");
  }

  void instant(String key) {
    try {
      Instant.parse(text(key));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("\"" + key + "\" is no instant of ISO 8601", e);
    }
  }

  /** A whole number, or a text of its digits where it may be too large for a browser's numbers. */
  void count(String key) {
    Object value = values.get(key);
    boolean number = value instanceof Double d && d >= 0 && d == Math.rint(d);
    boolean digits = value instanceof String s && s.matches("[0-9]{1,40}");
    if (!number && !digits) {
      throw new IllegalArgumentException("\"" + key + "\" is no count");
    }
  }

  Members object(String key) {
    return of(one(key, Map.class, "an object"));
  }

  /** An object of counts. */
  void counts(String key) {
    Members counts = object(key);
    counts.values.keySet().forEach(kind -> counts.count(kind.toString()));
  }

  List<Members> list(String key) {
    List<Members> items = new ArrayList<>();
    for (Object item : one(key, List.class, "a list")) {
      items.add(of(item));
    }
    return items;
  }

  void texts(String key) {
    for (Object item : one(key, List.class, "a list")) {
      if (!(item instanceof String)) {
        throw new IllegalArgumentException("\"" + key + "\" lists something that is no text");
      }
    }
  }

  private <T> T one(String key, Class<T> kind, String shown) {
    Object value = values.get(key);
    if (!kind.isInstance(value)) {
      throw new IllegalArgumentException("\"" + key + "\" is missing, or not " + shown);
    }
    return kind.cast(value);
  }
}
