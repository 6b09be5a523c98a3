package io.leasehold.testkit.hygiene;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * How many there are of each name.
 *
 * @param counts never 0
 */
public record Tally(Map<String, Long> counts) {

  public Tally {
    counts = new TreeMap<>(counts);
  }

  static Tally of(Stream<String> names) {
    Map<String, Long> counts = new TreeMap<>();
    names.forEach(name -> counts.merge(name, 1L, Long::sum));
    return new Tally(counts);
  }

  public long count(String name) {
    return counts.getOrDefault(name, 0L);
  }

  public long total() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Those whose names are wanted. */
  public Tally only(Predicate<String> wanted) {
    Map<String, Long> some = new TreeMap<>(counts);
    some.keySet().removeIf(wanted.negate());
    return new Tally(some);
  }

  /** Each name of which there are more than before, and more than that are allowed. */
  List<String> grownSince(Tally before, long allowed) {
    List<String> grown = new ArrayList<>();
    counts.forEach(
        (name, count) -> {
          if (count - before.count(name) > allowed) {
            grown.add(name + ": " + before.count(name) + " -> " + count);
          }
        });
    return grown;
  }
}
