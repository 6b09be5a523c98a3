package io.leasehold.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.measure.Metric;
import io.leasehold.benchmarks.measure.Results;
import io.leasehold.benchmarks.measure.Scenario;
import io.leasehold.benchmarks.report.Report;
import io.leasehold.benchmarks.scenario.Pace;
import io.leasehold.benchmarks.scenario.Stage;
import io.leasehold.benchmarks.scenario.Step;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything but JMH, with one driver of ours and one peer, on real servers, for moments. */
class SmokeTest {
  private static final Pace TINY =
      new Pace(
          1,
          Duration.ofMillis(60),
          Duration.ofMillis(20),
          Duration.ofMillis(60),
          Duration.ofMillis(500),
          Duration.ofMillis(500),
          200,
          5,
          2);

  private static final Set<Contestant> INVITED =
      EnumSet.of(
          Contestant.LETTUCE,
          Contestant.BARE_LETTUCE,
          Contestant.SINGLE_LETTUCE,
          Contestant.REDISSON,
          Contestant.UNHEARD,
          Contestant.WITHOUT_SDK,
          Contestant.WITH_SDK);

  private static final Set<Scenario> LOADS =
      EnumSet.of(
          Scenario.UNCONTENDED,
          Scenario.UNCONTENDED_WIRE,
          Scenario.MANY_LOCKS,
          Scenario.MANY_LOCKS_WIRE,
          Scenario.ONE_LOCK,
          Scenario.ONE_LOCK_WIRE,
          Scenario.PROCESSES,
          Scenario.PROCESSES_WIRE);

  private static final Set<Scenario> FULL_FORM_ONLY =
      EnumSet.of(Scenario.MANY_LOCKS_WIRE, Scenario.PROCESSES_WIRE);

  private final Results results = new Results();

  @Test
  void everyScenarioMeasuresSomething(@TempDir Path folder) throws Exception {
    run(true, EnumSet.allOf(Scenario.class));
    run(false, FULL_FORM_ONLY);
    assertThat(results.failures()).isEmpty();
    for (Scenario load : LOADS) {
      assertThat(results.contestants(load))
          .as(load.id())
          .contains(Contestant.LETTUCE, Contestant.REDISSON);
      assertThat(value(load, Metric.CYCLE_P50)).as(load.id()).isPositive();
      assertThat(value(load, Metric.CLIENT_CALLS)).as(load.id()).isBetween(0.9, 4.0);
      assertThat(value(load, Metric.VIOLATIONS)).as(load.id()).isZero();
      assertThat(value(load, Metric.ERRORS)).as(load.id()).isZero();
    }
    assertThat(value(Scenario.UNCONTENDED_WIRE, Metric.CYCLE_P50)).isGreaterThan(2_000);
    assertThat(value(Scenario.MANY_LOCKS_WIRE, Metric.CYCLE_P50)).isGreaterThan(2_000);
    assertThat(value(Scenario.PROCESSES, Metric.LEAST_SHARE)).isBetween(0.0, 50.0);
    assertThat(value(Scenario.WAITING, Metric.PUBLISHED)).isEqualTo(1);
    assertThat(value(Scenario.WAITING, Metric.GRANTED)).isEqualTo(1);
    assertThat(value(Scenario.HELD, Metric.LOST)).isZero();
    assertThat(value(Scenario.HELD, Metric.BYTES_PER_LEASE)).isPositive();
    assertThat(results.contestants(Scenario.TELEMETRY))
        .containsExactly(Contestant.UNHEARD, Contestant.WITHOUT_SDK, Contestant.WITH_SDK);
    assertThat(
            results.difference(
                Scenario.TELEMETRY, Metric.ALLOCATED, Contestant.WITH_SDK, Contestant.UNHEARD))
        .as("what telemetry allocates")
        .isPositive();
    Report.write(results, Map.of(), folder);
    assertThat(folder.resolve("results.md")).content().contains("What must be seen");
  }

  private void run(boolean quick, Set<Scenario> scenarios) throws Exception {
    try (Stage stage = new Stage()) {
      Plan plan = new Plan(TINY, stage, results, quick, INVITED::contains);
      for (Step step : plan.steps(scenarios)) {
        step.action().run();
      }
    }
  }

  private double value(Scenario scenario, Metric metric) {
    return results.median(scenario, Contestant.LETTUCE, metric);
  }
}
