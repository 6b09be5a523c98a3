package io.leasehold.benchmarks.scenario;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.measure.Measurement;
import io.leasehold.benchmarks.measure.Metric;
import io.leasehold.benchmarks.measure.Outcome;
import io.leasehold.benchmarks.measure.Results;
import io.leasehold.benchmarks.measure.Scenario;
import io.leasehold.benchmarks.measure.ServerCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Several processes with several threads each, all on one lock. */
public final class ProcessesScenario extends Rounds {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final int processes;
  private final int threads;
  private final List<ChildJvm> children = new ArrayList<>();
  private int asked;
  private @Nullable Path turnstile;

  /** So many processes with so many threads each. */
  public ProcessesScenario(
      List<Contestant> contestants,
      Pace pace,
      Stage stage,
      Results results,
      int processes,
      int threads) {
    super(Scenario.PROCESSES, contestants, pace, stage, results);
    this.processes = processes;
    this.threads = threads;
  }

  @Override
  void prepare() throws IOException {
    Path file = Files.createTempFile("leasehold-turnstile", "");
    file.toFile().deleteOnExit(); // when the run is ended in the middle
    turnstile = file;
    String place = stage.place(scenario.wire()).asText();
    for (int i = 0; i < processes; i++) {
      children.add(ChildJvm.start(Worker.class, "512m", place, file.toString()));
    }
  }

  @Override
  void open(Contestant who) throws Exception {
    askAll("open " + who.id(), PATIENCE);
    load(who, pace.warmUp());
  }

  @Override
  void round(Contestant who, int round) throws Exception {
    ServerCounters before = stage.counters(who);
    List<Outcome> outcomes = load(who, pace.slice());
    ServerCounters servers = stage.counters(who).since(before);
    Measurement all = Measurement.of(scenario, who, round, Outcome.sum(outcomes), servers);
    Map<Metric, Double> values = new EnumMap<>(all.values());
    values.put(Metric.LEAST_SHARE, leastShare(outcomes));
    results.add(new Measurement(scenario, who, round, values));
  }

  static double leastShare(List<Outcome> outcomes) {
    long all = outcomes.stream().mapToLong(Outcome::inTime).sum();
    long least = outcomes.stream().mapToLong(Outcome::inTime).min().orElseThrow();
    return all == 0 ? 0 : least * 100.0 / all;
  }

  private List<Outcome> load(Contestant who, Duration time) throws Exception {
    String order = "run " + who.id() + " " + threads + " " + time.toMillis();
    return askAll(order, time.plus(PATIENCE)).stream().map(Outcome::parse).toList();
  }

  private List<String> askAll(String order, Duration within) throws Exception {
    asked++;
    for (ChildJvm child : children) {
      child.tell(asked + " " + order);
    }
    List<String> answers = new ArrayList<>();
    for (ChildJvm child : children) {
      String answer = child.answer(within);
      while (!answer.startsWith(asked + " ")) { // of what another process had failed to do
        answer = child.answer(within);
      }
      answers.add(answer.substring(answer.indexOf(' ') + 1));
    }
    for (String answer : answers) {
      if (answer.startsWith("failed")) {
        throw new IllegalStateException(answer);
      }
    }
    return answers;
  }

  @Override
  void closeAll() throws IOException {
    children.forEach(ChildJvm::close);
    children.clear();
    if (turnstile != null) {
      Files.deleteIfExists(turnstile);
    }
  }
}
