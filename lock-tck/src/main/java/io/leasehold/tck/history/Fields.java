package io.leasehold.tck.history;

import java.util.ArrayList;
import java.util.List;

/** The fields of a line, from left to right. What does not fit is an illegal argument. */
final class Fields {
  private final String line;
  private int at;

  Fields(String line) {
    this.line = line;
  }

  String word() {
    if (at > line.length()) {
      throw new IllegalArgumentException("a field is missing");
    }
    int end = line.indexOf(' ', at);
    end = end < 0 ? line.length() : end;
    String word = line.substring(at, end);
    at = end + 1;
    if (word.isEmpty()) {
      throw new IllegalArgumentException("an empty field");
    }
    return word;
  }

  long number() {
    String word = word();
    try {
      return Long.parseLong(word);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a number: " + shortened(word), e);
    }
  }

  long notNegative() {
    long number = number();
    if (number < 0) {
      throw new IllegalArgumentException("a negative number: " + number);
    }
    return number;
  }

  String name() {
    return Names.decoded(word());
  }

  List<String> names() {
    String word = word();
    if (word.indexOf(',') < 0) {
      return List.of(Names.decoded(word));
    }
    List<String> names = new ArrayList<>();
    for (int from = 0; from <= word.length(); ) {
      int end = word.indexOf(',', from);
      end = end < 0 ? word.length() : end;
      names.add(Names.decoded(word.substring(from, end)));
      from = end + 1;
    }
    return List.copyOf(names);
  }

  /** One of an enum's constants, in small letters. */
  <E extends Enum<E>> E oneOf(Class<E> type) {
    String word = word();
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equalsIgnoreCase(word)) {
        return constant;
      }
    }
    throw new IllegalArgumentException("unknown: " + shortened(word));
  }

  void end() {
    if (at <= line.length()) {
      throw new IllegalArgumentException("a field too many: " + shortened(line.substring(at)));
    }
  }

  static String shortened(String text) {
    return text.length() <= 80 ? text : text.substring(0, 80) + "…";
  }
}
