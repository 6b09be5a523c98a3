package io.leasehold.campaign;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Rounds over all runs until the time is over. What has been done before, in the same folder, is
 * not done again.
 */
final class Campaign {
  private static final Duration LONGEST = Duration.ofSeconds(120);
  private static final Duration SHORTEST = Duration.ofSeconds(10);

  /** What a run takes beside its storm: servers, processes, a quarantine, the check. */
  private static final Duration AROUND = Duration.ofSeconds(25);

  private final List<RunSpec> specs;
  private final long seed;
  private final Path out;
  private final PrintStream console;
  private final Results results;
  private final int perSecond;
  private final boolean keep;
  private final Map<String, Run> running = new ConcurrentHashMap<>();
  private long endNanos;

  Campaign(
      List<RunSpec> specs, long seed, Path out, int perSecond, boolean keep, PrintStream console) {
    this.specs = List.copyOf(specs);
    this.seed = seed;
    this.out = out;
    this.perSecond = perSecond;
    this.keep = keep;
    this.console = console;
    this.results = Results.in(out);
  }

  Results results() {
    return results;
  }

  /** The seed of one run: another one for each, and the same whenever it is asked for. */
  static long seedOf(long campaign, String name, long round) {
    long mixed = campaign * 0x9E3779B97F4A7C15L + name.hashCode() * 31L + round;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    return mixed ^ mixed >>> 27;
  }

  /** Goes on until the time is over, or for exactly one round when a storm's length is given. */
  void run(Duration total, Duration storm, int rounds, int parallel) throws InterruptedException {
    long spent = results.all().stream().mapToLong(RunResult::tookMillis).sum() / parallel;
    endNanos = System.nanoTime() + total.minusMillis(spent).toNanos();
    Thread status = new Thread(this::tellStatus, "status");
    status.setDaemon(true);
    status.start();
    ExecutorService pool = Executors.newFixedThreadPool(parallel);
    try {
      for (long round = 0; round < rounds && timeLeft() > AROUND.toNanos(); round++) {
        List<Future<?>> under = new ArrayList<>();
        for (RunSpec spec : specs) {
          // A race is the same each time: once is enough. The clocks are set for all of a JVM.
          boolean due = (round == 0 || spec.race().isEmpty()) && !results.has(spec.name(), round);
          if (due && (parallel == 1 || !spec.needsClocks())) {
            long now = round;
            under.add(pool.submit(() -> runIfTime(spec, now, storm)));
          }
        }
        await(under);
        for (RunSpec spec : parallel == 1 ? List.<RunSpec>of() : specs) {
          if (spec.needsClocks() && !results.has(spec.name(), round)) {
            await(List.of(pool.submit(() -> runIfTime(spec, 0, storm))));
          }
        }
      }
    } finally {
      pool.shutdownNow();
      status.interrupt();
    }
    write();
  }

  /** How long a storm is when all runs of a round are to fit into this time. */
  static Duration fitting(Duration total, List<RunSpec> specs, int parallel) {
    long storms = Math.max(1, specs.stream().filter(spec -> spec.race().isEmpty()).count());
    long races = specs.size() - storms;
    Duration each =
        total
            .multipliedBy(parallel)
            .minus(AROUND.multipliedBy(races).dividedBy(2))
            .dividedBy(storms)
            .minus(AROUND);
    return each.compareTo(SHORTEST) < 0 ? SHORTEST : each.compareTo(LONGEST) > 0 ? LONGEST : each;
  }

  private static void await(List<Future<?>> all) throws InterruptedException {
    for (Future<?> one : all) {
      try {
        one.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("a run failed", e.getCause());
      }
    }
  }

  private long timeLeft() {
    return endNanos - System.nanoTime();
  }

  private void runIfTime(RunSpec spec, long round, Duration storm) {
    if (timeLeft() > AROUND.toNanos()) {
      runOne(spec, seedOf(seed, spec.name(), round), round, storm);
    }
  }

  /** Runs one, keeps its result, and its histories if something is wrong with it. */
  RunResult runOne(RunSpec spec, long runSeed, long round, Duration storm) {
    Path folder = out.resolve("runs").resolve(spec.name() + "-" + round);
    delete(folder);
    Run run = new Run(spec, runSeed, storm, perSecond, folder);
    running.put(spec.name(), run);
    try {
      RunResult result = run.run(round);
      results.add(result);
      tell(result, run);
      if (result.good() && spec.race().isEmpty()) {
        Timeline.offer(out.resolve("timeline.json"), result, folder);
        if (!keep) {
          delete(folder);
        }
      }
      write();
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException("could not run " + spec.name(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (RuntimeException e) {
      if (isInterrupted()) {
        throw e; // its servers were taken away with the whole campaign
      }
      // The others go on; that it could not be judged counts against it.
      RunResult broken = run.brokenOff(round, e);
      results.add(broken);
      tell(broken, run);
      return broken;
    } finally {
      running.remove(spec.name());
    }
  }

  /** Whether this JVM is about to end. Its servers may be gone a moment before that is known. */
  private static boolean isInterrupted() {
    try {
      TimeUnit.MILLISECONDS.sleep(500);
      Thread probe = new Thread(() -> {});
      Runtime.getRuntime().addShutdownHook(probe);
      Runtime.getRuntime().removeShutdownHook(probe);
      return false;
    } catch (IllegalStateException e) {
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private void tell(RunResult result, Run run) {
    long faults = result.faults().values().stream().mapToLong(Long::longValue).sum();
    console.printf(
        "%-4s %-32s seed %-20s %4d s %8d grants %5d losses %4d faults, %d without effect; %d violations (expected: %s)%n",
        result.good() ? "ok" : "BAD",
        result.name(),
        result.seed(),
        result.tookMillis() / 1_000,
        result.grants(),
        result.losses(),
        faults,
        run.failedFaults().size(),
        result.violations().size(),
        result.expect());
    if (!result.good()) {
      result.violations().stream().limit(10).forEach(text -> console.println("     " + text));
    }
    run.failedFaults().stream().limit(3).forEach(text -> console.println("     - " + text));
  }

  private void tellStatus() {
    try {
      while (true) {
        TimeUnit.SECONDS.sleep(15);
        List<RunResult> done = results.all();
        console.printf(
            "     … %s; %d runs done, %d grants, %d faults, %d violations so far, %d min left%n",
            running.keySet(),
            done.size(),
            done.stream().mapToLong(RunResult::grants).sum()
                + running.values().stream().mapToLong(Run::grantsSoFar).sum(),
            done.stream()
                .flatMap(result -> result.faults().values().stream())
                .mapToLong(Long::longValue)
                .sum(),
            done.stream().mapToLong(RunResult::bad).sum(),
            TimeUnit.NANOSECONDS.toMinutes(timeLeft()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void write() {
    try {
      Files.writeString(out.resolve("campaign.json"), results.merged(kit()));
    } catch (IOException e) {
      throw new UncheckedIOException("could not write the results", e);
    }
  }

  private static String kit() throws IOException {
    try (var in = Campaign.class.getResourceAsStream("kit.txt")) {
      return in == null ? "unknown" : new String(in.readAllBytes(), UTF_8).strip();
    }
  }

  private static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("could not clear " + folder, e);
    }
  }
}
