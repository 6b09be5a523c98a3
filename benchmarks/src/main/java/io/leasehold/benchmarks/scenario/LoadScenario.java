package io.leasehold.benchmarks.scenario;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.Contestant.Kind;
import io.leasehold.benchmarks.measure.Measurement;
import io.leasehold.benchmarks.measure.Metric;
import io.leasehold.benchmarks.measure.Outcome;
import io.leasehold.benchmarks.measure.Results;
import io.leasehold.benchmarks.measure.Scenario;
import io.leasehold.benchmarks.measure.ServerCounters;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Threads of one process or of several, on a lock of each thread's own or on one lock. */
public final class LoadScenario extends Rounds {
  /** Whether threads want the same lock. */
  public enum Locks {
    ONE_PER_THREAD,
    SHARED
  }

  /**
   * What is put on.
   *
   * @param processes how many share it; one is a process of the contestant's own
   * @param threads in each process
   */
  public record Shape(int processes, int threads, Locks locks) {}

  private final Shape shape;
  private final Map<Contestant, Crew> crews = new EnumMap<>(Contestant.class);
  private @Nullable Crew common;

  /** Threads on locks. */
  public LoadScenario(
      Scenario scenario,
      List<Contestant> contestants,
      Pace pace,
      Stage stage,
      Results results,
      Shape shape) {
    super(scenario, contestants, pace, stage, results);
    this.shape = shape;
  }

  @Override
  void open(Contestant who) throws Exception {
    Crew crew = shape.processes() == 1 ? stage.processOf(who) : common();
    crew.open(who, stage.place(scenario.wire()));
    crews.put(who, crew);
    load(who, pace.warmUp());
  }

  /** Several processes for each contestant would be too many: these have all of them. */
  private Crew common() throws IOException {
    Crew crew = common;
    if (crew == null) {
      crew = new Crew(shape.processes());
      common = crew;
    }
    return crew;
  }

  @Override
  void round(Contestant who, int round) throws Exception {
    if (!pace.leadIn().isZero()) {
      load(who, pace.leadIn());
    }
    ServerCounters before = stage.counters(who);
    List<Outcome> outcomes = load(who, pace.slice());
    ServerCounters servers = stage.counters(who).since(before);
    Measurement all = Measurement.of(scenario, who, round, Outcome.sum(outcomes), servers);
    if (shape.processes() == 1) {
      results.add(all);
      return;
    }
    Map<Metric, Double> values = new EnumMap<>(all.values());
    values.put(Metric.LEAST_SHARE, Outcome.leastShare(outcomes));
    results.add(new Measurement(scenario, who, round, values));
  }

  private List<Outcome> load(Contestant who, Duration time) throws Exception {
    // What a driver can do at most with single calls is what one thread can.
    int threads = who.kind() == Kind.SINGLE_CALLS ? 1 : shape.threads();
    Crew crew = crews.get(who);
    if (crew == null) {
      throw new IllegalStateException(who.id() + " is not open");
    }
    return crew.run(who, scenario.id() + "-" + who.id(), threads, shape.locks(), time);
  }

  @Override
  void closeAll() throws Exception {
    for (Map.Entry<Contestant, Crew> open : crews.entrySet()) {
      try {
        open.getValue().close(open.getKey());
      } catch (IllegalStateException | IOException e) { // the process has ended
        results.failed(scenario.title() + ": " + open.getKey().title() + ", closing: " + e);
      }
    }
    crews.clear();
    if (common != null) {
      common.close();
      common = null;
    }
  }
}
