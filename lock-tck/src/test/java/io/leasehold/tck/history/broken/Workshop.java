package io.leasehold.tck.history.broken;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.spi.Capability;
import io.leasehold.tck.Faults;
import io.leasehold.tck.Quorum;
import io.leasehold.tck.Subject;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Interference;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.bench.Voucher;
import io.leasehold.tck.history.FaultMark;
import io.leasehold.tck.history.History;
import io.leasehold.tck.history.HistoryRecorder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** A subject, the clients that use it, and what is recorded of them. */
public final class Workshop implements AutoCloseable {
  /** The longest lease of a subject with a guard. */
  static final Duration MAX_LEASE = Duration.ofSeconds(10);

  private static final Duration PATIENCE = Duration.ofSeconds(40);

  final Bench bench;
  final Random random = new Random(8);
  private final Subject subject;
  private final boolean guarded;
  private final Voucher voucher;
  private final Path folder;
  private final HistoryRecorder nemesis;
  private final Map<String, HistoryRecorder> recorders = new ConcurrentHashMap<>();
  private final Map<LockClient, String> names = new ConcurrentHashMap<>();
  private final AtomicInteger numbers = new AtomicInteger();

  /**
   * A workshop.
   *
   * @param folder an empty folder for the history
   */
  public Workshop(Scenario.On on, Subject subject, Interference interference, Path folder) {
    this.subject = subject;
    this.guarded = on == Scenario.On.GUARDED;
    this.folder = folder;
    this.voucher =
        Voucher.of(
            subject, guarded ? EnumSet.of(Capability.GUARD) : EnumSet.noneOf(Capability.class));
    this.bench = new Bench(subject, interference, voucher, 8);
    this.nemesis = HistoryRecorder.to(folder.resolve("nemesis.history"), "nemesis");
  }

  /** A client to be opened. */
  Opening client() {
    Opening opening = bench.client();
    return guarded
        ? opening.option("maxLease", MAX_LEASE.toSeconds() + "s").lease(MAX_LEASE)
        : opening;
  }

  /** A client with nothing special, recorded as a process of its own. */
  LockClient open(String process) {
    return open(process, client());
  }

  /** A client that is recorded as a process of its own; the same name is another process. */
  LockClient open(String process, Opening opening) {
    LockClient client = opening.open();
    String name = process + "-" + numbers.incrementAndGet();
    HistoryRecorder recorder = HistoryRecorder.to(folder.resolve(name + ".history"), name);
    recorders.put(name, recorder);
    LockClient recording = recorder.recording(client);
    names.put(recording, name);
    return recording;
  }

  /** The process of a client. */
  String process(LockClient client) {
    return names.getOrDefault(client, "nobody");
  }

  /** A fault begins. */
  FaultMark fault(String kind, String target) {
    return nemesis.fault(kind, target);
  }

  /** Something begins to be done to a client. */
  FaultMark fault(String kind, LockClient client) {
    return nemesis.fault(kind, process(client));
  }

  /** Something that is done while a fault goes on. */
  @FunctionalInterface
  interface Step {
    void run() throws InterruptedException;
  }

  /** Does something while a fault goes on. */
  void during(String kind, String target, Step step) throws InterruptedException {
    FaultMark mark = fault(kind, target);
    step.run();
    mark.close();
  }

  /** Does something while a client suffers. */
  void during(String kind, LockClient client, Step step) throws InterruptedException {
    during(kind, process(client), step);
  }

  /** The faults of all servers. */
  Faults faults() {
    return subject.faults().get();
  }

  Subject subject() {
    return subject;
  }

  Quorum quorum() {
    return subject.quorum().get();
  }

  /** Vouches for servers that are new. */
  void vouch() throws InterruptedException {
    voucher.vouch();
  }

  /** A lock name that nobody else uses. */
  String name() {
    return bench.name();
  }

  /** What has been recorded. To be asked for when nobody does anything. */
  public History history() {
    return History.readFolder(folder);
  }

  <T> CompletableFuture<T> fork(Callable<T> work) {
    return bench.fork(work);
  }

  static <T> T join(CompletableFuture<T> work) throws InterruptedException {
    try {
      return work.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Acquires, if it can; a refusal is in the history. */
  static Optional<Lease> acquire(DistributedLock lock, Duration wait) throws InterruptedException {
    try {
      return lock.tryAcquire(wait);
    } catch (LockException e) {
      return Optional.empty();
    }
  }

  /** Holds a lease for a time, or until it has ended, and asks it all the time. */
  static void hold(Lease lease, Duration span) throws InterruptedException {
    long end = System.nanoTime() + span.toNanos();
    while (lease.isHeld() && System.nanoTime() - end < 0) {
      Thread.sleep(3);
    }
  }

  /** Acquires, holds and gives back, if it can. */
  static boolean use(DistributedLock lock, Duration wait, Duration span)
      throws InterruptedException {
    Optional<Lease> lease = acquire(lock, wait);
    if (lease.isPresent()) {
      hold(lease.get(), span);
      lease.get().close();
    }
    return lease.isPresent();
  }

  /** The same in the background. */
  CompletableFuture<Boolean> using(DistributedLock lock, Duration wait, Duration span) {
    return fork(() -> use(lock, wait, span));
  }

  static void pause(long millis) throws InterruptedException {
    Thread.sleep(millis);
  }

  @Override
  public void close() {
    bench.close();
    recorders.values().forEach(HistoryRecorder::close);
    nemesis.close();
  }
}
