package io.leasehold.ctl.doctor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Fields that a server tells as lines of {@code name:value}, or as names and values in turn. */
final class Info {
  static final Info NONE = new Info(Map.of());

  private final Map<String, String> fields;

  private Info(Map<String, String> fields) {
    this.fields = fields;
  }

  /** The reply to INFO or CLUSTER INFO. */
  static Info lines(String text) {
    Map<String, String> fields = new HashMap<>();
    text.lines()
        .filter(line -> line.indexOf(':') > 0)
        .forEach(
            line -> {
              int colon = line.indexOf(':');
              fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            });
    return new Info(fields);
  }

  /** The reply to CONFIG GET or SENTINEL MASTER. */
  static Info pairs(List<String> words) {
    Map<String, String> fields = new HashMap<>();
    for (int i = 0; i + 1 < words.size(); i += 2) {
      fields.put(words.get(i), words.get(i + 1));
    }
    return new Info(fields);
  }

  /** Fields of both. */
  Info and(Info others) {
    Map<String, String> all = new HashMap<>(fields);
    all.putAll(others.fields);
    return new Info(all);
  }

  Optional<String> find(String name) {
    return Optional.ofNullable(fields.get(name));
  }

  String text(String name) {
    return fields.getOrDefault(name, "");
  }

  /** A number; -1 when there is none. */
  long number(String name) {
    String digits = text(name);
    return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : -1;
  }

  boolean is(String name, String value) {
    return text(name).equals(value);
  }

  /** The replicas of a primary, as INFO lists them: {@code slave0:ip=…,port=…,state=…,lag=…}. */
  List<Info> replicas() {
    List<Info> replicas = new ArrayList<>();
    for (int i = 0; fields.containsKey("slave" + i); i++) {
      replicas.add(lines(text("slave" + i).replace(',', '\n').replace('=', ':')));
    }
    return replicas;
  }
}
