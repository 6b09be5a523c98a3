package io.leasehold.benchmarks.measure;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.Contestant.Kind;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What one contestant did in one round of a scenario.
 *
 * @param round from 1
 */
public record Measurement(
    Scenario scenario, Contestant contestant, int round, Map<Metric, Double> values) {

  /** Copies. */
  public Measurement {
    values = Map.copyOf(values);
  }

  /** The numbers of a load together with what it made the servers do. */
  public static Measurement of(
      Scenario scenario, Contestant who, int round, Outcome load, ServerCounters servers) {
    Map<Metric, Double> values = new EnumMap<>(Metric.class);
    double grants = load.grants();
    values.put(Metric.RATE, load.rate());
    values.put(Metric.WAIT_P50, micros(Numbers.percentile(load.waits(), 0.5)));
    values.put(Metric.WAIT_P99, micros(Numbers.percentile(load.waits(), 0.99)));
    values.put(Metric.CYCLE_P50, micros(Numbers.percentile(load.cycles(), 0.5)));
    values.put(Metric.CYCLE_P99, micros(Numbers.percentile(load.cycles(), 0.99)));
    values.put(Metric.CYCLE_MEAN, micros(Numbers.mean(load.cycles())));
    values.put(Metric.ALLOCATED, load.allocated() / grants);
    values.put(Metric.CLIENT_CALLS, servers.clientCalls(who.direct()) / grants);
    values.put(Metric.SERVER_MICROS, servers.serverMicros(who.direct()) / grants);
    // Our locks are handed over inside of a process; all others give the lock back each time.
    double releases = who.kind() == Kind.OURS ? servers.deletions() : grants;
    values.put(Metric.WAKE_UPS, servers.wakeUps() / releases);
    values.put(Metric.ERRORS, (double) load.errors());
    values.put(Metric.VIOLATIONS, (double) load.violations());
    return new Measurement(scenario, who, round, values);
  }

  private static double micros(double nanos) {
    return nanos / TimeUnit.MICROSECONDS.toNanos(1);
  }
}
