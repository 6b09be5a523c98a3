package io.leasehold.tck;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.spi.Capability;
import io.leasehold.spi.LockNode;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Interference;
import io.leasehold.tck.bench.Verifies.Company;
import io.leasehold.tck.bench.Voucher;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.checks.Catalogue;
import io.leasehold.tck.checks.Check;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * Runs the checks against a subject. Needs no test framework.
 *
 * <pre>{@code
 * CertificationReport report = Certification.of(subject).run();
 * }</pre>
 *
 * One client first takes and releases a lock some hundred times, so that no check meets a driver
 * that has not run yet. Checks run in parallel, because most of them wait most of the time; those
 * that need faults, or change the time of the servers, run afterwards, one by one. Servers with a
 * guard are vouched for before the checks begin, and after each fault that leaves new processes.
 * Not thread-safe; used once.
 */
public final class Certification {
  private static final int PARALLEL = 24;

  private static final int WARM_UP_LOCKS = 200;
  private static final Duration WARM_UP_BOUND = Duration.ofSeconds(2);

  private final Subject subject;
  private Set<Requirement> selection = EnumSet.allOf(Requirement.class);
  private long seed = new SecureRandom().nextLong();
  private Consumer<? super Progress> listener = progress -> {};
  private Interference interference = Interference.NONE;

  private Certification(Subject subject) {
    this.subject = subject;
  }

  /** A certification of everything, with a random seed. */
  public static Certification of(Subject subject) {
    return new Certification(subject);
  }

  /** Draws the random numbers of an earlier run again. */
  public Certification seed(long value) {
    seed = value;
    return this;
  }

  /**
   * Runs only what verifies these. Whatever else applies to the subject is reported as not run, so
   * that the subject is not certified.
   */
  public Certification only(Set<Requirement> requirements) {
    selection = Set.copyOf(requirements);
    return this;
  }

  /** Hears of every check that has ended; called by one thread at a time. */
  public Certification onProgress(Consumer<? super Progress> value) {
    listener = value;
    return this;
  }

  /** For the kit's own negative controls. */
  Certification interference(Interference value) {
    interference = value;
    return this;
  }

  /**
   * Runs the checks. Whatever the subject does, it ends, and gives a report.
   *
   * @throws InterruptedException when the thread is interrupted
   */
  public CertificationReport run() throws InterruptedException {
    Instant started = Instant.now();
    long startNanos = System.nanoTime();
    Verdicts verdicts = new Verdicts(subject, selection, seed);
    String label = "unknown";
    Voucher voucher;
    try {
      LockNode node = probe();
      label = node.label();
      Set<Capability> capabilities = node.capabilities();
      voucher = Voucher.of(subject, capabilities);
      voucher.vouch();
      verdicts.applies(capabilities);
    } catch (RuntimeException | Error e) {
      verdicts.nothingRan("the subject could not be opened, or vouched for: " + e);
      return report(verdicts, label, started, startNanos);
    }
    warmUp(voucher);
    run(verdicts, new CheckRunner(subject, interference, voucher, seed));
    return report(verdicts, label, started, startNanos);
  }

  /**
   * Takes and releases a lock some hundred times with one client, so that the first checks do not
   * meet a driver, and perhaps a server, that has not run yet. Judges nothing: what fails here
   * fails in the checks.
   */
  private void warmUp(Voucher voucher) throws InterruptedException {
    try (Bench bench = new Bench(subject, Interference.NONE, voucher, seed)) {
      LockClient client = bench.open();
      DistributedLock lock = client.lock(bench.name());
      long end = System.nanoTime() + WARM_UP_BOUND.toNanos();
      Waiting.result(
          "an end of the warm-up",
          WARM_UP_BOUND.multipliedBy(2),
          bench.fork(
              () -> {
                for (int i = 0; i < WARM_UP_LOCKS && System.nanoTime() - end < 0; i++) {
                  lock.tryAcquire().ifPresent(Lease::release);
                }
                return true;
              }));
    } catch (RuntimeException | Error e) {
      System.getLogger(Certification.class.getName())
          .log(System.Logger.Level.DEBUG, "the warm-up failed", e);
    }
  }

  private LockNode probe() {
    Voucher nobody = Voucher.of(subject, Set.of());
    try (Bench bench = new Bench(subject, interference, nobody, seed)) {
      return bench.node().node();
    }
  }

  private void run(Verdicts verdicts, CheckRunner runner) throws InterruptedException {
    boolean timeJumps = subject.timeMachine().isPresent();
    List<Check> together = new ArrayList<>();
    List<Check> alone = new ArrayList<>();
    for (Check check : Catalogue.checks()) {
      if (verdicts.wants(check)) {
        boolean any =
            check.company() == Company.ANY
                || (check.company() == Company.NONE_WHEN_TIME_JUMPS && !timeJumps);
        (any ? together : alone).add(check);
      }
    }
    // The long ones first, so that nobody waits for them alone in the end.
    together.sort((a, b) -> b.timeout().compareTo(a.timeout()));
    int total = together.size() + alone.size();
    runTogether(together, runner, verdicts, total);
    for (Check check : alone) {
      tell(verdicts.add(runner.run(check)), verdicts.done(), total);
    }
  }

  private void runTogether(List<Check> checks, CheckRunner runner, Verdicts verdicts, int total)
      throws InterruptedException {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            parallel(),
            task -> {
              Thread thread = new Thread(task, "tck-runner");
              thread.setDaemon(true);
              return thread;
            });
    try {
      ExecutorCompletionService<CheckResult> ended = new ExecutorCompletionService<>(threads);
      checks.forEach(check -> ended.submit(() -> runner.run(check)));
      for (int i = 0; i < checks.size(); i++) {
        tell(verdicts.add(ended.take().get()), verdicts.done(), total);
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // the runner turns everything into a result
    } finally {
      threads.shutdownNow();
    }
  }

  /** On a quorum every check is several times the work, for clients and servers. */
  private int parallel() {
    return subject.quorum().isPresent()
        ? Math.max(2, PARALLEL / subject.quorum().get().size())
        : PARALLEL;
  }

  private void tell(CheckResult result, int done, int total) {
    listener.accept(
        new Progress(
            done,
            total,
            result.check().sentence(),
            result.check().requirements(),
            result.finding().isEmpty()));
  }

  private CertificationReport report(
      Verdicts verdicts, String label, Instant started, long startNanos) {
    return new CertificationReport(
        subject.name(),
        label,
        subject.faults().isPresent() ? CertificationLevel.FAULT_TESTED : CertificationLevel.CORE,
        seed,
        Environment.current(),
        started,
        Duration.ofNanos(System.nanoTime() - startNanos),
        verdicts.results());
  }
}
