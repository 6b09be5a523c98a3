package io.leasehold.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.measure.Measurement;
import io.leasehold.benchmarks.measure.Metric;
import io.leasehold.benchmarks.measure.Results;
import io.leasehold.benchmarks.measure.Scenario;
import io.leasehold.benchmarks.report.Target.Bound;
import io.leasehold.benchmarks.report.Target.Verdict;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetsTest {
  private final Results results = new Results();

  private void add(Scenario scenario, Contestant who, int round, Metric metric, double value) {
    results.add(new Measurement(scenario, who, round, Map.of(metric, value)));
  }

  private Target target(String... words) {
    return Targets.of(results).stream()
        .filter(target -> Arrays.stream(words).allMatch(target.what()::contains))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "AT_MOST, 1.25, 1.25, MET",
    "AT_MOST, 1.25, 1.254, MET",
    "AT_MOST, 1.25, 1.26, NOT_MET",
    "AT_LEAST, 3, 3.0, MET",
    "AT_LEAST, 3, 2.99, NOT_MET",
    "EXACTLY, 2, 2.001, MET",
    "EXACTLY, 2, 2.01, NOT_MET",
    "EXACTLY, 0, 0, MET",
    "AT_MOST, 1, NaN, NOT_MEASURED"
  })
  void aTargetIsMetOnTheRightSideOfItsLimit(
      Bound bound, double limit, double measured, Verdict verdict) {
    assertThat(new Target("x", bound, limit, measured).verdict()).isEqualTo(verdict);
  }

  @Test
  void aRatioIsTheMedianOfTheRatiosOfEachRound() {
    double[] ours = {100, 400, 120};
    double[] bare = {100, 200, 100}; // the machine was slow in the second round
    for (int round = 1; round <= 3; round++) {
      add(Scenario.UNCONTENDED, Contestant.JEDIS, round, Metric.CYCLE_P50, ours[round - 1]);
      add(Scenario.UNCONTENDED, Contestant.BARE_JEDIS, round, Metric.CYCLE_P50, bare[round - 1]);
    }
    add(Scenario.UNCONTENDED, Contestant.BARE_JEDIS, 4, Metric.CYCLE_P50, 1);
    Target target = target("Leasehold on Jedis", "one thread", "÷ bare Jedis");
    assertThat(target.measured()).isEqualTo(1.2);
    assertThat(target.verdict()).isEqualTo(Verdict.MET);
  }

  @Test
  void whatIsNotMetIsSaid() {
    add(Scenario.PROCESSES, Contestant.VERTX, 1, Metric.LEAST_SHARE, 14);
    Target target = target("Leasehold on Vert.x", "smallest share");
    assertThat(target.limitText()).isEqualTo("at least 15");
    assertThat(target.measuredText()).isEqualTo("14");
    assertThat(target.verdict()).isEqualTo(Verdict.NOT_MET);
  }

  @Test
  void oneViolationAnywhereIsSeen() {
    add(Scenario.ONE_LOCK, Contestant.REDISSON, 1, Metric.VIOLATIONS, 5);
    add(Scenario.ONE_LOCK, Contestant.LETTUCE, 1, Metric.VIOLATIONS, 0);
    assertThat(target("two holders").verdict()).isEqualTo(Verdict.MET);
    add(Scenario.ONE_LOCK, Contestant.LETTUCE, 2, Metric.VIOLATIONS, 1);
    assertThat(target("two holders").verdict()).isEqualTo(Verdict.NOT_MET);
  }

  @Test
  void withoutMeasurementsNothingIsMet() {
    assertThat(Targets.of(results))
        .hasSizeGreaterThan(50)
        .allSatisfy(t -> assertThat(t.verdict()).isEqualTo(Verdict.NOT_MEASURED));
  }
}
