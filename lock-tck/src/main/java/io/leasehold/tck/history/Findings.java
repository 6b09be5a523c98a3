package io.leasehold.tck.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects violations, and not too many of a kind. */
final class Findings {
  private final List<Violation> violations = new ArrayList<>();
  private final Map<String, Integer> counts = new HashMap<>();
  private final long origin;

  /**
   * @param origin the beginning of the history, from which times are told to people
   */
  Findings(long origin) {
    this.origin = origin;
  }

  void add(Rule rule, String lock, long atNanos, String text) {
    int count = counts.merge(rule + " " + lock, 1, Integer::sum);
    if (count <= HistoryChecker.AT_MOST) {
      violations.add(new Violation(rule, lock, text + ", at " + at(atNanos), atNanos));
    }
  }

  /** A moment, in milliseconds since the beginning. */
  String at(long nanos) {
    return nanos == Long.MAX_VALUE ? "the end" : millis(nanos - origin);
  }

  static String millis(long nanos) {
    return nanos / 1_000_000 + "." + String.format("%03d", Math.abs(nanos / 1_000 % 1_000)) + " ms";
  }

  List<Violation> inOrder() {
    violations.sort(Comparator.comparingLong(Violation::atNanos));
    return List.copyOf(violations);
  }
}
