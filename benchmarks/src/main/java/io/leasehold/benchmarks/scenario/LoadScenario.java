package io.leasehold.benchmarks.scenario;

import io.leasehold.benchmarks.contestant.Client;
import io.leasehold.benchmarks.contestant.Client.Handle;
import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.Contestant.Kind;
import io.leasehold.benchmarks.measure.Load;
import io.leasehold.benchmarks.measure.Measurement;
import io.leasehold.benchmarks.measure.Outcome;
import io.leasehold.benchmarks.measure.Results;
import io.leasehold.benchmarks.measure.Scenario;
import io.leasehold.benchmarks.measure.ServerCounters;
import io.leasehold.benchmarks.measure.Turnstile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Threads of this process, on a lock of each thread's own or on one lock. */
public final class LoadScenario extends Rounds {
  /** Whether threads want the same lock. */
  public enum Locks {
    ONE_PER_THREAD,
    SHARED
  }

  private final int threads;
  private final Locks locks;
  private final Map<Contestant, Client> clients = new EnumMap<>(Contestant.class);

  /** Threads on locks. */
  public LoadScenario(
      Scenario scenario,
      List<Contestant> contestants,
      Pace pace,
      Stage stage,
      Results results,
      int threads,
      Locks locks) {
    super(scenario, contestants, pace, stage, results);
    this.threads = threads;
    this.locks = locks;
  }

  @Override
  void open(Contestant who) throws Exception {
    clients.put(who, who.open(stage.place(scenario.wire())));
    load(who, pace.warmUp());
  }

  @Override
  void round(Contestant who, int round) throws Exception {
    ServerCounters before = stage.counters(who);
    Outcome outcome = load(who, pace.slice());
    ServerCounters servers = stage.counters(who).since(before);
    results.add(Measurement.of(scenario, who, round, outcome, servers));
  }

  @Override
  void closeAll() {
    clients.values().forEach(Client::close);
    clients.clear();
  }

  private Outcome load(Contestant who, Duration time) throws Exception {
    Client client = clients.get(who);
    if (client == null) {
      throw new IllegalStateException(who.id() + " is not open");
    }
    String name = scenario.id() + "-" + who.id();
    // What a driver can do at most with single calls is what one thread can.
    int number = who.kind() == Kind.SINGLE_CALLS ? 1 : threads;
    if (locks == Locks.ONE_PER_THREAD) {
      List<Handle> own =
          IntStream.range(0, number).mapToObj(i -> client.lock(name + "-" + i)).toList();
      return Load.run(own, time, Optional.empty());
    }
    List<Handle> shared = IntStream.range(0, number).mapToObj(i -> client.lock(name)).toList();
    return withTurnstile(shared, time);
  }

  private static Outcome withTurnstile(List<Handle> shared, Duration time)
      throws IOException, InterruptedException {
    Path file = Files.createTempFile("leasehold-turnstile", "");
    try {
      return Load.run(shared, time, Optional.of(new Turnstile(file)));
    } finally {
      Files.delete(file);
    }
  }
}
