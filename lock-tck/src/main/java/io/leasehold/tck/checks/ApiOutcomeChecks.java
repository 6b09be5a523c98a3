package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.API_3;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LeaseLostException;
import io.leasehold.LockClient;
import io.leasehold.LockClosedException;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockException;
import io.leasehold.LockTimeoutException;
import io.leasehold.LockUnavailableException;
import io.leasehold.LossReason;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Guarded;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.FailingRequests;
import io.leasehold.tck.wire.ForwardingNode;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Tap;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** API-3: every outcome has a type of its own. */
final class ApiOutcomeChecks {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(150);

  @Verifies(API_3)
  void aBusyLockIsATimeoutAndNothingElse(Bench bench) throws InterruptedException {
    String name = bench.name();
    bench.node().granted(name, bench.owner(), LONG);
    DistributedLock lock = bench.client().commandTimeout(LONG).open().lock(name);
    Class<LockTimeoutException> busy = LockTimeoutException.class;
    LockTimeoutException timeout =
        Expect.thrown(busy, () -> lock.acquire(SHORT), "acquire of a busy lock");
    Expect.equal(name, timeout.lockName(), "the name in a timeout");
    Expect.thrown(busy, () -> async(bench, lock), "acquireAsync of a busy lock");
    Expect.that(
        Calmly.call("tryAcquire of a busy lock", lock::tryAcquire).isEmpty(),
        "tryAcquire of a busy lock must be empty");
    Expect.that(
        Calmly.call("tryAcquire of a busy lock", () -> lock.tryAcquire(SHORT)).isEmpty(),
        "tryAcquire of a busy lock must be empty");
  }

  @Verifies(API_3)
  void anUnreachableServerIsUnavailableAndNotBusy(Bench bench) {
    expectUnavailable(
        bench,
        new FailingRequests(FailureKind.UNREACHABLE, Operation.GRANT),
        "with a server that cannot be reached");
  }

  @Verifies(API_3)
  void aMissingPermissionIsUnavailableAndNotBusy(Bench bench) {
    expectUnavailable(
        bench,
        new FailingRequests(FailureKind.NO_PERMISSION, Operation.GRANT),
        "with a permission missing");
  }

  @Verifies(API_3)
  void aGuardedServerIsUnavailableAndNotBusy(Bench bench) {
    Tap guarded =
        node ->
            new ForwardingNode(node) {
              @Override
              public CompletionStage<GrantReply> grant(GrantRequest request) {
                return CompletableFuture.completedFuture(
                    new Guarded(60_000, System.currentTimeMillis() * 1_000));
              }
            };
    expectUnavailable(bench, guarded, "with a guarded server");
  }

  private static void expectUnavailable(Bench bench, Tap tap, String how) {
    DistributedLock lock = bench.client().tap(tap).open().lock(bench.name());
    Class<LockUnavailableException> unavailable = LockUnavailableException.class;
    Expect.thrown(unavailable, lock::tryAcquire, "tryAcquire() " + how);
    Expect.thrown(unavailable, () -> lock.tryAcquire(SHORT), "tryAcquire(Duration) " + how);
    Expect.thrown(unavailable, () -> lock.acquire(SHORT), "acquire " + how);
    Expect.thrown(unavailable, () -> async(bench, lock), "acquireAsync " + how);
    Expect.thrown(unavailable, lock.asLock()::tryLock, "tryLock " + how);
    Expect.thrown(
        unavailable,
        () -> lock.asLock().tryLock(SHORT.toMillis(), TimeUnit.MILLISECONDS),
        "tryLock(time) " + how);
  }

  private static Lease async(Bench bench, DistributedLock lock) throws InterruptedException {
    return Waiting.result("its end", bench.within(LONG), lock.acquireAsync(SHORT));
  }

  @Verifies(API_3)
  void aReleaseThatIsNotConfirmedIsUnavailable(Bench bench) throws InterruptedException {
    LockClient client =
        bench
            .client()
            .tap(new FailingRequests(FailureKind.CONNECTION_LOST, Operation.RELEASE))
            .open();
    Lease lease = client.lock(bench.name()).acquire(LONG);
    Expect.thrown(
        LockUnavailableException.class, lease::release, "a release that is not confirmed");
    Expect.that(!lease.isHeld(), "a lease is over once its release was asked for");
    Calmly.run("close after a release that was not confirmed", lease::close);
  }

  @Verifies(API_3)
  void aCancelledCallIsCancelled(Bench bench) throws InterruptedException {
    String name = bench.name();
    bench.node().granted(name, bench.owner(), LONG);
    CompletableFuture<Lease> future = bench.open().lock(name).acquireAsync(LONG);
    Expect.that(future.cancel(true), "a future that waits must be cancellable");
    Expect.thrown(
        CancellationException.class, () -> future.getNow(null), "the result of a cancelled call");
  }

  @Verifies(API_3)
  void aLostLeaseIsLostAndAReleasedOneIsNot(Bench bench) throws InterruptedException {
    LockClient client = bench.client().lease(SHORT).withoutRenewal().open();
    Lease lease = client.lock(bench.name()).acquire(LONG);
    Lease released = bench.open().lock(bench.name()).acquire(LONG);
    released.release();
    RuntimeException over =
        Expect.thrown(
            IllegalStateException.class, () -> ensureHeld(released), "ensureHeld after release");
    Expect.that(!(over instanceof LeaseLostException), "a lease that was released was not lost");
    Waiting.until("a brief lease ends", bench.within(SHORT), () -> !lease.isHeld());
    LeaseLostException lost =
        Expect.thrown(LeaseLostException.class, () -> ensureHeld(lease), "ensureHeld after loss");
    Expect.equal(LossReason.EXPIRED, lost.reason(), "the reason in the exception");
  }

  private static String ensureHeld(Lease lease) {
    lease.ensureHeld();
    return "normally";
  }

  @Verifies(API_3)
  void whatIsMisconfiguredAndWhatIsClosedHaveTypesOfTheirOwn(Bench bench) {
    LockClient client = bench.open();
    expectOwnType(LockConfigurationException.class, () -> client.lock(" "), "a blank name");
    DistributedLock lock = client.lock(bench.name());
    client.close();
    expectOwnType(LockClosedException.class, lock::tryAcquire, "a closed client");
  }

  private static void expectOwnType(
      Class<? extends LockException> type, Callable<?> call, String what) {
    Expect.thrown(type, call, what);
  }
}
