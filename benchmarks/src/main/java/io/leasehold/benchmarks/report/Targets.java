package io.leasehold.benchmarks.report;

import static io.leasehold.benchmarks.contestant.Contestant.JEDIS;
import static io.leasehold.benchmarks.contestant.Contestant.LETTUCE;
import static io.leasehold.benchmarks.contestant.Contestant.REDISSON;
import static io.leasehold.benchmarks.contestant.Contestant.SPRING;
import static io.leasehold.benchmarks.contestant.Contestant.SPRING_SPIN;
import static io.leasehold.benchmarks.contestant.Contestant.UNHEARD;
import static io.leasehold.benchmarks.contestant.Contestant.VERTX;
import static io.leasehold.benchmarks.contestant.Contestant.WITHOUT_SDK;
import static io.leasehold.benchmarks.report.Target.Bound.AT_LEAST;
import static io.leasehold.benchmarks.report.Target.Bound.AT_MOST;
import static io.leasehold.benchmarks.report.Target.Bound.EXACTLY;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.Contestant.Kind;
import io.leasehold.benchmarks.measure.Measurement;
import io.leasehold.benchmarks.measure.Metric;
import io.leasehold.benchmarks.measure.Results;
import io.leasehold.benchmarks.measure.Scenario;
import io.leasehold.benchmarks.report.Target.Bound;
import java.util.ArrayList;
import java.util.List;

/** What must be seen, next to what a run has seen. */
public final class Targets {
  private final Results results;
  private final List<Target> targets = new ArrayList<>();

  private Targets(Results results) {
    this.results = results;
  }

  /** All of them, in the order of the issue. */
  public static List<Target> of(Results results) {
    Targets all = new Targets(results);
    all.uncontended();
    all.manyLocks();
    all.oneLock();
    all.processes();
    all.waiting();
    all.held();
    all.telemetry();
    all.safety();
    return List.copyOf(all.targets);
  }

  private void uncontended() {
    for (Contestant ours : Contestant.drivers()) {
      Contestant bare = ours.as(Kind.BARE).orElseThrow();
      String one = ours.title() + ", one thread: ";
      add(
          one + "time of a cycle (p50) ÷ " + bare.title(),
          AT_MOST,
          1.25,
          results.ratio(Scenario.UNCONTENDED, Metric.CYCLE_P50, ours, bare));
      add(
          one + "time of a cycle (p50) ÷ " + bare.title() + ", on a wire of 1 ms",
          AT_MOST,
          1.05,
          results.ratio(Scenario.UNCONTENDED_WIRE, Metric.CYCLE_P50, ours, bare));
      add(
          one + "round trips a cycle",
          EXACTLY,
          2,
          results.median(Scenario.UNCONTENDED, ours, Metric.CLIENT_CALLS));
      add(
          one + "bytes that the calling thread allocates ÷ " + bare.title(),
          AT_MOST,
          1.5,
          results.ratio(Scenario.UNCONTENDED, Metric.ALLOCATED, ours, bare));
    }
  }

  private void manyLocks() {
    for (Contestant ours : Contestant.drivers()) {
      Contestant bare = ours.as(Kind.BARE).orElseThrow();
      String many = ours.title() + ", 16 threads on 16 locks: cycles a second ÷ ";
      add(many + bare.title(), AT_LEAST, 0.75, rate(Scenario.MANY_LOCKS, ours, bare));
      add(many + REDISSON.title(), AT_LEAST, 3, rate(Scenario.MANY_LOCKS, ours, REDISSON));
    }
  }

  private void oneLock() {
    String sixteen = ", 16 threads on one lock: ";
    String cycles = sixteen + "cycles a second ÷ ";
    add(
        JEDIS.title() + cycles + REDISSON.title(),
        AT_LEAST,
        5,
        rate(Scenario.ONE_LOCK, JEDIS, REDISSON));
    for (Contestant spring : List.of(SPRING, SPRING_SPIN)) {
      add(
          JEDIS.title() + cycles + spring.title(),
          AT_LEAST,
          4,
          rate(Scenario.ONE_LOCK, JEDIS, spring));
    }
    for (Contestant ours : List.of(LETTUCE, VERTX)) {
      Contestant single = ours.as(Kind.SINGLE_CALLS).orElseThrow();
      add(
          ours.title() + cycles + single.title() + ", one thread",
          AT_LEAST,
          0.7,
          rate(Scenario.ONE_LOCK, ours, single));
    }
    for (Contestant ours : Contestant.drivers()) {
      add(
          ours.title() + sixteen + "p99 ÷ p50 of the wait",
          AT_MOST,
          5,
          results.median(Scenario.ONE_LOCK, ours, Metric.WAIT_P99)
              / results.median(Scenario.ONE_LOCK, ours, Metric.WAIT_P50));
      add(
          ours.title() + sixteen + "round trips a hand-over",
          AT_MOST,
          1.3,
          results.median(Scenario.ONE_LOCK, ours, Metric.CLIENT_CALLS));
    }
  }

  private void processes() {
    for (Contestant ours : Contestant.drivers()) {
      String four = ours.title() + ", 4 processes × 4 threads: ";
      add(
          four + "cycles a second ÷ " + REDISSON.title(),
          AT_LEAST,
          3,
          rate(Scenario.PROCESSES, ours, REDISSON));
      add(
          four + "smallest share of the grants, %",
          AT_LEAST,
          15,
          results.median(Scenario.PROCESSES, ours, Metric.LEAST_SHARE));
      add(
          four + "client calls a grant",
          AT_MOST,
          3.5,
          results.median(Scenario.PROCESSES, ours, Metric.CLIENT_CALLS));
      add(
          four + "wake-ups a release",
          AT_MOST,
          1,
          results.median(Scenario.PROCESSES, ours, Metric.WAKE_UPS));
    }
  }

  private void waiting() {
    for (Contestant ours : Contestant.drivers()) {
      String many = ours.title() + ", 200 waiting clients: ";
      add(
          many + "commands that one of them sends in 15 s",
          AT_MOST,
          1,
          results.median(Scenario.WAITING, ours, Metric.COMMANDS_PER_CLIENT));
      add(
          many + "how many a release wakes",
          EXACTLY,
          1,
          results.median(Scenario.WAITING, ours, Metric.PUBLISHED));
    }
  }

  private void held() {
    for (Contestant ours : Contestant.drivers()) {
      double leases = results.median(Scenario.HELD, ours, Metric.LEASES);
      double seconds = results.median(Scenario.HELD, ours, Metric.SECONDS);
      String holding =
          Double.isNaN(leases)
              ? ours.title() + ", held leases: "
              : String.format(
                  java.util.Locale.ROOT,
                  "%s, %,.0f leases for %.0f s: ",
                  ours.title(),
                  leases,
                  seconds);
      add(holding + "cores used", AT_MOST, 1, results.median(Scenario.HELD, ours, Metric.CPU));
      add(holding + "lost", EXACTLY, 0, results.median(Scenario.HELD, ours, Metric.LOST));
    }
  }

  private void telemetry() {
    String without = "lock-opentelemetry without an SDK: what a cycle costs more, ";
    add(
        without + "µs",
        AT_MOST,
        2,
        results.difference(Scenario.TELEMETRY, Metric.CYCLE_MEAN, WITHOUT_SDK, UNHEARD));
    add(
        without + "bytes",
        AT_MOST,
        500,
        results.difference(Scenario.TELEMETRY, Metric.ALLOCATED, WITHOUT_SDK, UNHEARD));
  }

  private void safety() {
    List<Measurement> ours =
        results.all().stream().filter(m -> m.contestant().kind() == Kind.OURS).toList();
    for (Metric metric : List.of(Metric.VIOLATIONS, Metric.ERRORS)) {
      double sum = ours.stream().mapToDouble(m -> m.values().getOrDefault(metric, 0.0)).sum();
      add(
          "Leasehold, all of the above: " + metric.title(),
          EXACTLY,
          0,
          ours.isEmpty() ? Double.NaN : sum);
    }
  }

  private double rate(Scenario scenario, Contestant one, Contestant other) {
    return results.ratio(scenario, Metric.RATE, one, other);
  }

  private void add(String what, Bound bound, double limit, double measured) {
    targets.add(new Target(what, bound, limit, measured));
  }
}
