package io.leasehold.campaign;

import io.leasehold.Leasable;
import io.leasehold.Lease;
import io.leasehold.LockCapabilityException;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.Locks;
import io.leasehold.tck.history.History;
import io.leasehold.tck.history.HistoryBounds;
import io.leasehold.tck.history.HistoryChecker;
import io.leasehold.tck.history.HistoryRecorder;
import io.leasehold.tck.history.HistoryVerdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Carries out one run, and judges it. */
final class Run {
  /** How soon after the last fault every client process must be served again. */
  private static final Duration RESUMED_WITHIN = Duration.ofSeconds(60);

  private static final int RACE_TURNS = 3;

  /** A storm that is shorter is not worth a long rest after it. */
  private static final Duration LONG = Duration.ofSeconds(60);

  private final RunSpec spec;
  private final long seed;
  private final Duration length;
  private final int perSecond;
  private final Path folder;
  private final List<String> violations = new ArrayList<>();
  private volatile LongSupplier grants = () -> 0;
  private long resumedMillis;
  private List<String> failedFaults = List.of();

  /**
   * A run that is yet to come.
   *
   * @param length of its storm; a race takes as long as it takes
   * @param perSecond how many grants each client process aims at
   * @param folder for histories and what the processes say; must not exist
   */
  Run(RunSpec spec, long seed, Duration length, int perSecond, Path folder) {
    this.spec = spec;
    this.seed = seed;
    this.length = length;
    this.perSecond = perSecond;
    this.folder = folder;
  }

  /** Grants so far, as told by the processes; any thread may ask. */
  long grantsSoFar() {
    return grants.getAsLong();
  }

  /** The faults that did not take effect, and why. */
  List<String> failedFaults() {
    return failedFaults;
  }

  RunResult run(long round) throws InterruptedException, IOException {
    Files.createDirectories(folder);
    Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    long from = System.nanoTime();
    Map<String, Long> done = Map.of();
    HistoryVerdict verdict;
    if (spec.race().isPresent()) {
      verdict = race(spec.race().get());
    } else {
      try (Topology topology = Topologies.start(spec.topology())) {
        done = storm(topology);
        verdict = HistoryChecker.check(History.readFolder(folder), bounds(topology));
      }
    }
    verdict.violations().forEach(found -> violations.add(found.toString()));
    return new RunResult(
        spec.name(),
        spec.provider(),
        spec.topology(),
        spec.guard(),
        Long.toString(seed),
        round,
        started.toString(),
        Duration.ofNanos(System.nanoTime() - from).toMillis(),
        verdict.operations(),
        verdict.grants(),
        verdict.refusals(),
        verdict.losses(),
        spec.race().isPresent() ? verdict.faults() : done,
        violations,
        spec.expect().id(),
        resumedMillis);
  }

  /** Played again when the machine was so slow that the first holder's lease had ended by then. */
  private HistoryVerdict race(Race race) throws InterruptedException, IOException {
    for (int turn = 1; ; turn++) {
      Path own = Files.createDirectories(folder.resolve("turn-" + turn));
      try {
        race.play(new Race.Stage(spec.provider(), race.guard(), own));
        HistoryVerdict verdict = HistoryChecker.check(History.readFolder(own), HistoryBounds.NONE);
        if (!verdict.violations().isEmpty() || turn == RACE_TURNS) {
          return verdict;
        }
      } catch (LockException e) {
        if (turn == RACE_TURNS) {
          throw e;
        }
      }
    }
  }

  /** A run that could not be carried out to its end. */
  RunResult brokenOff(long round, RuntimeException why) {
    List<String> all = new ArrayList<>(violations);
    all.add("BROKE_OFF: " + why + (why.getCause() == null ? "" : " because of " + why.getCause()));
    return new RunResult(
        spec.name(),
        spec.provider(),
        spec.topology(),
        spec.guard(),
        Long.toString(seed),
        round,
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        0,
        0,
        0,
        0,
        0,
        Map.of(),
        all,
        spec.expect().id(),
        0);
  }

  /** The plan, as it would be carried out on these servers. */
  static Plan plan(Topology topology, long seed, Duration length) {
    Set<FaultKind> kinds = EnumSet.copyOf(Nemesis.ON_CLIENTS);
    if (topology.seats().isEmpty()) {
      kinds.remove(FaultKind.KILL_CLIENT); // the locks would die with it
    }
    kinds.addAll(topology.faults());
    return Plan.of(seed, kinds, topology.habits(), length);
  }

  private Map<String, Long> storm(Topology topology) throws InterruptedException, IOException {
    // Of a cluster that has just come up on a busy machine not every replica follows yet.
    Patience.retry("vouch for new servers", Topology.BOUND.multipliedBy(2), topology::vouch);
    String url = topology.url(spec.provider(), terms(topology));
    Plan plan = plan(topology, seed, length);
    Files.writeString(
        folder.resolve("plan.txt"),
        plan.faults().stream().map(fault -> fault + "\n").collect(Collectors.joining()));
    try (Workers workers = new Workers(spec.provider(), url, folder, seed, perSecond);
        HistoryRecorder recorder =
            HistoryRecorder.to(folder.resolve("nemesis.history"), "nemesis")) {
      workers.start(topology.seats().isEmpty() ? 1 : 2);
      expectNamed(topology);
      grants = workers::grants;
      Nemesis nemesis = new Nemesis(topology, workers, recorder);
      nemesis.carryOut(plan);
      failedFaults = nemesis.failed();
      topology.settle();
      awaitResumed(topology, workers);
      if (length.compareTo(LONG) >= 0) {
        // Only when faults explain nothing any more can somebody be found to wait in vain.
        TimeUnit.MILLISECONDS.sleep(settling(topology).plus(topology.servedWithin()).toMillis());
      }
      violations.addAll(workers.stop());
      expectNothingLeft(topology);
      return nemesis.done();
    }
  }

  private static String[] terms(Topology topology) {
    List<String> terms = new ArrayList<>(List.of("maxLease=10s", "leaseTime=2s"));
    if (!topology.seats().isEmpty()) {
      terms.addAll(List.of("commandTimeout=500ms", "connectTimeout=5s", "guard=on"));
    }
    return terms.toArray(String[]::new);
  }

  private static HistoryBounds bounds(Topology topology) {
    return HistoryBounds.of(topology.servedWithin(), Duration.ofSeconds(2))
        .withSettling(settling(topology))
        .withTolerated(topology.tolerated())
        .withQuarantine(topology.silence());
  }

  /** For how long after its end a fault explains that clients fail. */
  private static Duration settling(Topology topology) {
    return topology.quarantine().plusSeconds(8);
  }

  /** That no connection is left later means nothing if they cannot be told from others. */
  private static void expectNamed(Topology topology) throws InterruptedException {
    if (!topology.seats().isEmpty()
        && !Patience.await(RESUMED_WITHIN, () -> topology.connectionsNamed("campaign") > 0)) {
      throw new IllegalStateException("no connection of the clients has their name");
    }
  }

  private void awaitResumed(Topology topology, Workers workers) throws InterruptedException {
    workers.awaitReady();
    List<Long> before = workers.grantsOfEach();
    long healed = System.nanoTime();
    boolean resumed =
        Patience.await(
            RESUMED_WITHIN.plus(topology.quarantine()),
            () -> isEachServed(before, workers.grantsOfEach()));
    resumedMillis = Duration.ofNanos(System.nanoTime() - healed).toMillis();
    if (!resumed) {
      violations.add(
          "NOT_RESUMED: after all was healed, not every process was granted a lock within "
              + resumedMillis
              + " ms: "
              + before
              + " then "
              + workers.grantsOfEach());
    }
  }

  /** Twenty more for each: one could have been on its way. */
  private static boolean isEachServed(List<Long> before, List<Long> now) {
    for (int i = 0; i < before.size(); i++) {
      if (now.get(i) < before.get(i) + 20) {
        return false;
      }
    }
    return true;
  }

  /** After all clients were closed: no connection of theirs, and every lock can be had. */
  private void expectNothingLeft(Topology topology) throws InterruptedException {
    if (topology.seats().isEmpty()) {
      return; // it was all in the process
    }
    if (!Patience.await(Duration.ofSeconds(20), () -> topology.connectionsNamed("campaign") == 0)) {
      violations.add(
          "CONNECTIONS_LEFT: "
              + topology.connectionsNamed("campaign")
              + " connections are open after all clients were closed");
    }
    try (HistoryRecorder recorder = HistoryRecorder.to(folder.resolve("last.history"), "last");
        LockClient client =
            recorder.recording(
                Locks.builder().url(topology.url(spec.provider(), terms(topology))).open())) {
      for (String name : LockNames.ANY) {
        expectFree(client.lock(name));
      }
      for (String name : LockNames.READ_WRITE) {
        expectFree(client.readWriteLock(name).writeLock());
      }
      expectAllPermits(client);
    }
  }

  private void expectAllPermits(LockClient client) throws InterruptedException {
    try {
      Leasable permits = client.semaphore(LockNames.SEMAPHORE, LockNames.PERMITS);
      List<Lease> all = new ArrayList<>();
      for (int i = 0; i < LockNames.PERMITS; i++) {
        all.add(permits.acquire(Duration.ofSeconds(45)));
      }
      all.forEach(Lease::close);
    } catch (LockCapabilityException e) {
      // There are none on a quorum.
    } catch (LockException e) {
      violations.add("LEFT_HELD: the permits: " + e.getMessage());
    }
  }

  private void expectFree(Leasable lock) throws InterruptedException {
    try {
      lock.acquire(Duration.ofSeconds(45)).close();
    } catch (LockException e) {
      violations.add("LEFT_HELD: " + lock.name() + ": " + e.getMessage());
    }
  }
}
