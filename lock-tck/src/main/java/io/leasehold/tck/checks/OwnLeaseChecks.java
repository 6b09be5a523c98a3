package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.OWN_3;
import static io.leasehold.tck.Requirement.OWN_5;
import static io.leasehold.tck.Requirement.OWN_6;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.ReleaseResult;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;

/** OWN-3, OWN-5 and OWN-6: whom a lease belongs to. */
@SuppressWarnings("LockNotBeforeTry") // whether and when it is locked is what is looked at
final class OwnLeaseChecks {
  private static final Duration BRIEF = Duration.ofMillis(250);
  private static final Duration WAIT = Duration.ofSeconds(10);

  @Verifies(OWN_3)
  void aReleaseAfterALossSaysSoAndHarmsNobody(Bench bench) throws InterruptedException {
    String name = bench.name();
    LockClient client = bench.client().lease(BRIEF).withoutRenewal().open();
    Lease lease = client.lock(name).acquire(WAIT);
    Lease other = client.lock(bench.name()).acquire(WAIT);
    Waiting.until(
        "brief leases end", bench.within(BRIEF), () -> !lease.isHeld() && !other.isHeld());
    try (Lease successor = bench.open().lock(name).acquire(WAIT)) {
      Expect.equal(ReleaseResult.LOST, lease.release(), "the result of a release after a loss");
      Expect.equal(ReleaseResult.LOST, lease.release(), "the result of a second release");
      Calmly.run("close after a loss", lease::close);
      Calmly.run("close after a loss, with no release before", other::close);
      Waiting.always(
          "a late release does not harm a successor",
          Duration.ofMillis(100),
          () -> successor.isHeld() && bench.node().isHeld(name));
      Expect.equal(ReleaseResult.RELEASED, successor.release(), "the successor's release");
    }
  }

  @Verifies(OWN_5)
  void aLeaseIsReleasedByAnotherThread(Bench bench) throws InterruptedException {
    expectHandedOver(bench, task -> new Thread(task, "tck-other").start());
  }

  /** On a JDK without virtual threads it is one more platform thread. */
  @Verifies(OWN_5)
  void aLeaseIsReleasedByAVirtualThread(Bench bench) throws InterruptedException {
    expectHandedOver(bench, OwnLeaseChecks::startVirtually);
  }

  private static void expectHandedOver(Bench bench, Consumer<Runnable> starter)
      throws InterruptedException {
    String name = bench.name();
    DistributedLock lock = bench.open().lock(name);
    Lease lease = on(bench, starter, () -> lock.acquire(WAIT));
    Expect.that(lease.isHeld(), "a lease must be held on a thread other than that which got it");
    Calmly.run("ensureHeld on another thread", lease::ensureHeld);
    Expect.equal(
        ReleaseResult.RELEASED,
        on(bench, starter, lease::release),
        "the result of a release on a third thread");
    Expect.that(!bench.node().isHeld(name), "a lock that was released must be free");
  }

  private static <T> T on(Bench bench, Consumer<Runnable> starter, Callable<T> work)
      throws InterruptedException {
    CompletableFuture<T> result = new CompletableFuture<>();
    starter.accept(
        () -> {
          try {
            result.complete(work.call());
          } catch (Exception e) {
            result.completeExceptionally(e);
          }
        });
    return Calmly.call(
        "the use of a lease on another thread",
        () -> Waiting.result("the end of a thread", bench.within(WAIT), result));
  }

  /** By reflection, because the kit is compiled for JDK 17. */
  private static void startVirtually(Runnable task) {
    try {
      Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
      start.invoke(null, task);
    } catch (ReflectiveOperationException e) {
      new Thread(task, "tck-not-virtual").start();
    }
  }

  @Verifies(OWN_5)
  void aLeaseIsUsedAndReleasedByAsynchronousStages(Bench bench) throws InterruptedException {
    String name = bench.name();
    CompletableFuture<ReleaseResult> released =
        bench
            .open()
            .lock(name)
            .acquireAsync(WAIT)
            .thenApplyAsync(
                lease -> {
                  lease.ensureHeld();
                  return lease;
                },
                ForkJoinPool.commonPool())
            .thenApply(Lease::release);
    Expect.equal(
        ReleaseResult.RELEASED,
        Waiting.result("the end of all stages", bench.within(WAIT), released),
        "the result of a release in a stage");
    Expect.that(!bench.node().isHeld(name), "a lock that was released must be free");
  }

  @Verifies(OWN_6)
  void aSecondAcquisitionInTheSameClientIsBusy(Bench bench) throws InterruptedException {
    String name = bench.name();
    LockClient client = bench.open();
    try (Lease lease = client.lock(name).acquire(WAIT)) {
      Optional<Lease> same = client.lock(name).tryAcquire();
      Expect.that(same.isEmpty(), "a thread that holds a lease got a second one of the same lock");
      Optional<Lease> other =
          Waiting.result(
              "the end of a tryAcquire",
              bench.within(WAIT),
              bench.fork(client.lock(name)::tryAcquire));
      Expect.that(other.isEmpty(), "two threads of one client hold the same lock");
      Lock view = client.lock(name).asLock();
      Expect.that(!view.tryLock(), "a view of a lock that is held as a lease must be busy");
      Expect.that(lease.isHeld(), "the holder must still hold the lock");
    }
  }

  @Verifies(OWN_6)
  void aLeaseOfALockThatAViewHoldsIsBusy(Bench bench) {
    String name = bench.name();
    LockClient client = bench.open();
    Lock view = client.lock(name).asLock();
    view.lock();
    Optional<Lease> lease = client.lock(name).tryAcquire();
    Expect.that(lease.isEmpty(), "a lease of a lock that a view of the same client holds");
    view.unlock();
  }
}
