package io.leasehold.benchmarks.measure;

import io.leasehold.benchmarks.contestant.Contestant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;

/** All that was measured in one run. Used by one thread. */
public final class Results {
  private final List<Measurement> all = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  /** Adds what was measured. */
  public void add(Measurement measurement) {
    all.add(measurement);
  }

  /** Adds what could not be measured, and why. */
  public void failed(String what) {
    failures.add(what);
  }

  /** All of them, in the order in which they were measured. */
  public List<Measurement> all() {
    return List.copyOf(all);
  }

  /** What could not be measured. */
  public List<String> failures() {
    return List.copyOf(failures);
  }

  /** Who took part. */
  public Set<Contestant> contestants(Scenario scenario) {
    Set<Contestant> found = EnumSet.noneOf(Contestant.class);
    all.stream().filter(m -> m.scenario() == scenario).forEach(m -> found.add(m.contestant()));
    return found;
  }

  /** The median of all rounds; NaN if there is none. */
  public double median(Scenario scenario, Contestant who, Metric metric) {
    return Numbers.median(rounds(scenario, who, metric).values());
  }

  /** The largest of all rounds; empty if there is none. */
  public Optional<Double> worst(Scenario scenario, Contestant who, Metric metric) {
    return rounds(scenario, who, metric).values().stream().max(Double::compare);
  }

  /**
   * How many times as much one has as another: the median of the ratios of each round. The two ran
   * shortly after each other in each round, so that a machine which is slower for a while is slower
   * for both. NaN if there is no round with both.
   */
  public double ratio(Scenario scenario, Metric metric, Contestant one, Contestant other) {
    return compared(scenario, metric, one, other, (mine, others) -> mine / others);
  }

  /** How much more one has than another: the median of the differences of each round. */
  public double difference(Scenario scenario, Metric metric, Contestant one, Contestant other) {
    return compared(scenario, metric, one, other, (mine, others) -> mine - others);
  }

  private double compared(
      Scenario scenario,
      Metric metric,
      Contestant one,
      Contestant other,
      DoubleBinaryOperator comparison) {
    Map<Integer, Double> mine = rounds(scenario, one, metric);
    Map<Integer, Double> others = rounds(scenario, other, metric);
    mine.keySet().retainAll(others.keySet());
    List<Double> compared = new ArrayList<>();
    mine.forEach(
        (round, value) ->
            compared.add(comparison.applyAsDouble(value, others.getOrDefault(round, Double.NaN))));
    return Numbers.median(compared);
  }

  private Map<Integer, Double> rounds(Scenario scenario, Contestant who, Metric metric) {
    Map<Integer, Double> values = new TreeMap<>();
    for (Measurement m : all) {
      Double value = m.values().get(metric);
      if (m.scenario() == scenario && m.contestant() == who && value != null) {
        values.put(m.round(), value);
      }
    }
    return values;
  }
}
