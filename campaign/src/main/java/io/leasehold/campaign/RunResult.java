package io.leasehold.campaign;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What came of one run, as it stands in {@code results.jsonl} and {@code campaign.json}.
 *
 * @param name the run
 * @param round which time it was run in this campaign, from 0
 * @param started when, as text
 * @param faults by kind, those that took effect
 * @param violations as text; of a run that expects a race these are its finds
 * @param expect {@code none}, {@code race}, or {@code any}
 * @param resumedMillis how long after the last fault every client process was served again
 */
record RunResult(
    String name,
    String provider,
    String topology,
    String guard,
    String seed,
    long round,
    String started,
    long tookMillis,
    long operations,
    long grants,
    long refusals,
    long losses,
    Map<String, Long> faults,
    List<String> violations,
    String expect,
    long resumedMillis) {

  RunResult {
    faults = Map.copyOf(faults);
    violations = List.copyOf(violations);
  }

  /** Whether it is as it should be. */
  boolean good() {
    return switch (expect) {
      case "race" -> violations.stream().anyMatch(RunResult::isRace);
      case "any" -> violations.stream().allMatch(RunResult::isRace);
      default -> violations.isEmpty();
    };
  }

  /** How many violations count against the product. */
  long bad() {
    return switch (expect) {
      case "race" -> violations.stream().filter(text -> !isRace(text)).count();
      case "any" -> violations.stream().filter(text -> !isRace(text)).count();
      default -> violations.size();
    };
  }

  /** Whether a violation is one of exclusion, and not of tokens or anything else. */
  private static boolean isRace(String violation) {
    return violation.startsWith("OVERLAP")
        || violation.startsWith("READER_BESIDE_WRITER")
        || violation.startsWith("TOO_MANY_PERMITS");
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", name);
    json.put("provider", provider);
    json.put("topology", topology);
    json.put("guard", guard);
    json.put("seed", seed);
    json.put("round", round);
    json.put("started", started);
    json.put("tookMillis", tookMillis);
    json.put("operations", operations);
    json.put("grants", grants);
    json.put("refusals", refusals);
    json.put("losses", losses);
    json.put("faults", new TreeMap<>(faults));
    json.put("violations", violations);
    json.put("expect", expect);
    json.put("resumedMillis", resumedMillis);
    return json;
  }

  static RunResult fromJson(Map<String, Object> json) {
    Map<String, Long> faults = new TreeMap<>();
    if (json.get("faults") instanceof Map<?, ?> map) {
      map.forEach((kind, count) -> faults.put(String.valueOf(kind), (Long) count));
    }
    List<String> violations =
        json.get("violations") instanceof List<?> list
            ? list.stream().map(String::valueOf).toList()
            : List.of();
    return new RunResult(
        text(json, "name"),
        text(json, "provider"),
        text(json, "topology"),
        text(json, "guard"),
        text(json, "seed"),
        number(json, "round"),
        text(json, "started"),
        number(json, "tookMillis"),
        number(json, "operations"),
        number(json, "grants"),
        number(json, "refusals"),
        number(json, "losses"),
        faults,
        violations,
        text(json, "expect"),
        number(json, "resumedMillis"));
  }

  private static String text(Map<String, Object> json, String key) {
    if (json.get(key) instanceof String value) {
      return value;
    }
    throw new IllegalArgumentException("a result without " + key);
  }

  private static long number(Map<String, Object> json, String key) {
    if (json.get(key) instanceof Long value) {
      return value;
    }
    throw new IllegalArgumentException("a result without " + key);
  }
}
