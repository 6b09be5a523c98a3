package io.leasehold.benchmarks.scenario;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.jmh.Connected;
import io.leasehold.benchmarks.jmh.UncontendedBenchmark;
import io.leasehold.benchmarks.measure.Measurement;
import io.leasehold.benchmarks.measure.Metric;
import io.leasehold.benchmarks.measure.Results;
import io.leasehold.benchmarks.measure.Scenario;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/** What JMH measures, each contestant in a JVM of its own, against the servers of the run. */
public final class JmhScenario {
  /** Three iterations of a second to warm up, three to measure, and a JVM. */
  private static final double SECONDS = 8.5;

  private final Scenario scenario;
  private final List<Contestant> contestants;
  private final Stage stage;
  private final Results results;

  /** One of the two scenarios for JMH. */
  public JmhScenario(
      Scenario scenario, List<Contestant> contestants, Stage stage, Results results) {
    this.scenario = scenario;
    this.contestants = List.copyOf(contestants);
    this.stage = stage;
    this.results = results;
  }

  /** What is done, in order. */
  public List<Step> steps() {
    return contestants.stream()
        .map(who -> new Step(scenario.title() + ": " + who.title(), SECONDS, () -> run(who)))
        .toList();
  }

  private void run(Contestant who) {
    // Another JMH on the machine is a reason for noise, not for waiting.
    System.setProperty("jmh.ignoreLock", "true");
    String method = scenario == Scenario.JMH ? "oneThread" : "manyLocks";
    Options options =
        new OptionsBuilder()
            .include(UncontendedBenchmark.class.getName() + "\\." + method)
            .param("contestant", who.id())
            .addProfiler(GCProfiler.class)
            .jvmArgsAppend("-D" + Connected.PLACE + "=" + stage.place(false).asText())
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .build();
    try {
      Collection<RunResult> done = new Runner(options).run();
      for (RunResult result : done) {
        results.add(new Measurement(scenario, who, 1, values(result)));
      }
    } catch (RunnerException e) {
      results.failed(scenario.title() + ": " + who.title() + ": " + e);
    }
  }

  private Map<Metric, Double> values(RunResult result) {
    Map<Metric, Double> values = new EnumMap<>(Metric.class);
    Result<?> primary = result.getPrimaryResult();
    if (scenario == Scenario.JMH) {
      Statistics times = primary.getStatistics();
      values.put(Metric.CYCLE_MEAN, times.getMean());
      values.put(Metric.CYCLE_P50, times.getPercentile(50));
      values.put(Metric.CYCLE_P99, times.getPercentile(99));
    } else {
      values.put(Metric.RATE, primary.getScore());
    }
    Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
    if (allocated != null) {
      values.put(Metric.ALLOCATED_IN_ALL, allocated.getScore());
    }
    return values;
  }
}
