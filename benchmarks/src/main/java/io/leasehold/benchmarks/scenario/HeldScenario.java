package io.leasehold.benchmarks.scenario;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.measure.Measurement;
import io.leasehold.benchmarks.measure.Metric;
import io.leasehold.benchmarks.measure.Results;
import io.leasehold.benchmarks.measure.Scenario;
import io.leasehold.benchmarks.measure.ServerCounters;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One client with very many leases, in a process of its own on a server of its own, so that the
 * processor time of that process is what renewing them costs.
 */
public final class HeldScenario {
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private final List<Contestant> contestants;
  private final Pace pace;
  private final Results results;

  /** Some drivers of ours, one after the other. */
  public HeldScenario(List<Contestant> contestants, Pace pace, Results results) {
    this.contestants = List.copyOf(contestants);
    this.pace = pace;
    this.results = results;
  }

  /** What is done, in order. */
  public List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    for (Contestant who : contestants) {
      steps.add(
          new Step(
              Scenario.HELD.title() + ": " + who.title(),
              pace.holding().toSeconds() + pace.leases() / 10_000.0,
              () -> hold(who)));
    }
    return steps;
  }

  private void hold(Contestant who) throws Exception {
    try (RedisServer server = Stage.server();
        ChildJvm holder =
            ChildJvm.start(
                Holder.class,
                "2g",
                who.id(),
                String.valueOf(server.port()),
                String.valueOf(pace.leases()),
                String.valueOf(pace.holding().toMillis()))) {
      holder.answer(PATIENCE);
      ServerCounters before = ServerCounters.read(List.of(server));
      holder.tell("go on");
      long[] n =
          Arrays.stream(holder.answer(pace.holding().plus(PATIENCE)).split(" ", -1))
              .mapToLong(Long::parseLong)
              .toArray();
      ServerCounters servers = ServerCounters.read(List.of(server)).since(before);
      double seconds = n[1] / 1e9;
      Map<Metric, Double> values = new EnumMap<>(Metric.class);
      values.put(Metric.LEASES, (double) pace.leases());
      values.put(Metric.SECONDS, seconds);
      values.put(Metric.CPU, (double) n[0] / n[1]);
      values.put(Metric.LOST, (double) n[2]);
      values.put(Metric.BYTES_PER_LEASE, (double) n[3]);
      values.put(Metric.THREADS, (double) n[4]);
      values.put(Metric.BATCHES, servers.calls("evalsha") / seconds);
      results.add(new Measurement(Scenario.HELD, who, 1, values));
    } catch (IllegalStateException e) {
      results.failed(Scenario.HELD.title() + ": " + who.title() + ": " + e);
    }
  }
}
