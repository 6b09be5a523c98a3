package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.API_1;
import static io.leasehold.tck.Requirement.API_2;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockTimeoutException;
import io.leasehold.LockUnavailableException;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Queueing;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Silence;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** API-1 and API-2: how long calls take. */
final class ApiWaitingChecks {
  private static final Duration LONG = Duration.ofSeconds(20);

  /** A stall of this machine must not look like a server that does not answer. */
  private static final Duration PATIENT = Duration.ofSeconds(5);

  private static final Duration SHORT = Duration.ofMillis(500);

  @Verifies(API_1)
  void tryAcquireDoesNotWaitForAHolder(Bench bench) throws InterruptedException {
    String name = bench.name();
    bench.node().granted(name, bench.owner(), LONG);
    Wiretap wire = new Wiretap();
    DistributedLock lock = bench.client().commandTimeout(PATIENT).tap(wire).open().lock(name);
    Optional<Lease> lease = timed(bench, "tryAcquire of a busy lock", lock::tryAcquire);
    Expect.that(lease.isEmpty(), "tryAcquire of a busy lock must be empty");
    for (GrantRequest request : wire.grants()) {
      Expect.equal(Queueing.NONE, request.queueing(), "how tryAcquire asks");
    }
    Expect.equal(0, wire.count(Operation.WATCH), "how often tryAcquire asks to be woken");
  }

  @Verifies(API_1)
  void tryAcquireDoesNotWaitBehindOthersOfItsClient(Bench bench) throws InterruptedException {
    String name = bench.name();
    bench.node().granted(name, bench.owner(), LONG);
    Wiretap wire = new Wiretap();
    LockClient client = bench.client().commandTimeout(PATIENT).tap(wire).open();
    CompletableFuture<Lease> waiter = bench.fork(() -> client.lock(name).acquire(LONG));
    Waiting.until("somebody waits", bench.tolerance(), () -> !wire.grantReplies().isEmpty());
    Optional<Lease> lease = timed(bench, "tryAcquire behind a line", client.lock(name)::tryAcquire);
    Expect.that(lease.isEmpty(), "tryAcquire of a busy lock must be empty");
    Expect.that(!waiter.isDone(), "who waits before it must still wait");
  }

  @Verifies(API_1)
  void aTimeOfZeroIsOneAttempt(Bench bench) throws InterruptedException {
    String name = bench.name();
    bench.node().granted(name, bench.owner(), LONG);
    DistributedLock lock = bench.client().commandTimeout(PATIENT).open().lock(name);
    Expect.that(
        timed(bench, "tryAcquire(0)", () -> lock.tryAcquire(Duration.ZERO)).isEmpty(),
        "tryAcquire(0) of a busy lock must be empty");
    expectBusy(() -> timed(bench, "acquire(0)", () -> lock.acquire(Duration.ZERO)), "acquire(0)");
    expectBusy(
        () -> Waiting.result("its end", bench.tolerance(), lock.acquireAsync(Duration.ZERO)),
        "acquireAsync(0)");
    Expect.that(
        !timed(bench, "tryLock()", lock.asLock()::tryLock), "tryLock of a busy lock must fail");
  }

  private static <T> T timed(Bench bench, String what, Callable<T> call)
      throws InterruptedException {
    return Waiting.result(what + " does not wait", bench.tolerance(), bench.fork(call));
  }

  private static void expectBusy(Callable<?> call, String what) {
    Expect.thrown(LockTimeoutException.class, call, what + " of a busy lock");
  }

  @Verifies(API_2)
  void deadlinesAreKept(Bench bench) throws InterruptedException {
    LockClient client = bench.client().commandTimeout(PATIENT).open();
    List<CompletableFuture<Duration>> calls = new ArrayList<>();
    calls.add(
        waiting(
            bench,
            client,
            lock -> expectBusy(() -> lock.acquire(SHORT), "acquire with a deadline")));
    calls.add(
        waiting(
            bench,
            client,
            lock ->
                Expect.that(
                    lock.tryAcquire(SHORT).isEmpty(), "tryAcquire of a busy lock must be empty")));
    calls.add(
        waiting(
            bench,
            client,
            lock ->
                expectBusy(
                    () -> Waiting.result("its end", LONG, lock.acquireAsync(SHORT)),
                    "acquireAsync with a deadline")));
    calls.add(
        waiting(
            bench,
            client,
            lock ->
                Expect.that(
                    !lock.asLock().tryLock(SHORT.toMillis(), TimeUnit.MILLISECONDS),
                    "tryLock of a busy lock must fail")));
    for (CompletableFuture<Duration> call : calls) {
      expectKept(bench, Waiting.result("a call with a deadline ends", bench.within(SHORT), call));
    }
  }

  @Verifies(API_2)
  void aLineInTheClientUsesTheSameDeadline(Bench bench) throws InterruptedException {
    String name = bench.name();
    bench.node().granted(name, bench.owner(), LONG);
    LockClient client = bench.client().commandTimeout(PATIENT).open();
    List<CompletableFuture<Duration>> calls = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      calls.add(
          bench.fork(
              () -> elapsed(() -> expectBusy(() -> client.lock(name).acquire(SHORT), "acquire"))));
    }
    for (CompletableFuture<Duration> call : calls) {
      expectKept(bench, Waiting.result("a call in a line ends", bench.within(SHORT), call));
    }
  }

  @Verifies(API_2)
  void aSilentServerDoesNotStretchADeadline(Bench bench) throws InterruptedException {
    Duration command = Duration.ofMillis(200);
    LockClient client =
        bench.client().commandTimeout(command).tap(new Silence(Operation.GRANT)).open();
    CompletableFuture<Lease> call = bench.fork(() -> client.lock(bench.name()).acquire(SHORT));
    Expect.thrown(
        LockUnavailableException.class,
        () ->
            Waiting.result("a call with a deadline ends", bench.within(SHORT.plus(command)), call),
        "acquire with a silent server");
  }

  private interface Attempt {
    void on(DistributedLock lock) throws InterruptedException;
  }

  private static CompletableFuture<Duration> waiting(
      Bench bench, LockClient client, Attempt attempt) throws InterruptedException {
    String name = bench.name();
    bench.node().granted(name, bench.owner(), LONG);
    return bench.fork(() -> elapsed(() -> attempt.on(client.lock(name))));
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  private static Duration elapsed(Work work) throws InterruptedException {
    long start = System.nanoTime();
    work.run();
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private static void expectKept(Bench bench, Duration elapsed) {
    Expect.that(
        elapsed.compareTo(SHORT) >= 0 && elapsed.compareTo(bench.within(SHORT)) <= 0,
        "a wait of " + SHORT.toMillis() + " ms for a busy lock took " + elapsed.toMillis());
  }
}
