package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.LEASE_3;
import static io.leasehold.tck.Requirement.LEASE_6;
import static io.leasehold.tck.Requirement.LEASE_7;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LossReason;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.Extended;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Released;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.FailingRequests;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Silence;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;
import java.util.Optional;

/** LEASE-3, LEASE-6 and LEASE-7: how a holder learns that its lease has ended. */
final class LeaseLossChecks {
  private static final Duration SHORT = Duration.ofMillis(600);
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final Duration MOMENT = Duration.ofMillis(100);

  @Verifies(LEASE_3)
  void aLeaseThatCannotBeRenewedIsToldSo(Bench bench) throws InterruptedException {
    expectTold(
        bench,
        bench.client().tap(new FailingRequests(FailureKind.UNREACHABLE, Operation.EXTEND)),
        LossReason.RENEWAL_FAILED);
  }

  @Verifies(LEASE_3)
  void aSilentServerDoesNotHideALoss(Bench bench) throws InterruptedException {
    expectTold(bench, bench.client().tap(new Silence(Operation.EXTEND)), LossReason.RENEWAL_FAILED);
  }

  @Verifies(LEASE_3)
  void aLeaseThatIsNotRenewedExpires(Bench bench) throws InterruptedException {
    expectTold(bench, bench.client().withoutRenewal(), LossReason.EXPIRED);
  }

  private static void expectTold(Bench bench, Opening opening, LossReason reason)
      throws InterruptedException {
    LockClient client = opening.lease(SHORT).open();
    Lease lease = client.lock(bench.name()).acquire(WAIT);
    long acquired = System.nanoTime();
    LossLog losses = LossLog.of(lease);
    losses.expect(reason, bench.within(SHORT));
    Expect.that(!lease.isHeld(), "a lease whose loss was told must not be held");
    while (System.nanoTime() - acquired < SHORT.plus(MOMENT).toNanos()) {
      Waiting.pause(Duration.ofMillis(5));
    }
    lease.close();
    Waiting.pause(MOMENT);
    Expect.equal(1, losses.count(), "the number of times that a loss is told");
  }

  @Verifies(LEASE_3)
  void aHandlerThatComesAfterTheLossIsToldAtOnce(Bench bench) throws InterruptedException {
    LockClient client = bench.client().lease(Duration.ofMillis(200)).withoutRenewal().open();
    Lease lease = client.lock(bench.name()).acquire(WAIT);
    Waiting.until("a lease of 200 ms has ended", bench.within(SHORT), () -> !lease.isHeld());
    LossLog.of(lease).expect(LossReason.EXPIRED, bench.tolerance());
  }

  @Verifies(LEASE_3)
  void aLeaseThatWasReleasedIsNotLost(Bench bench) throws InterruptedException {
    LockClient client = bench.client().lease(LONG).open();
    Lease lease = client.lock(bench.name()).acquire(WAIT);
    LossLog losses = LossLog.of(lease);
    Expect.equal(ReleaseResult.RELEASED, lease.release(), "the result of a release");
    Waiting.pause(MOMENT);
    Expect.equal(0, losses.count(), "the number of losses told for a lease that was released");
  }

  @Verifies(LEASE_3)
  void oneFailedRenewalIsNoLoss(Bench bench) throws InterruptedException {
    Duration time = Duration.ofMillis(2_400);
    FailingRequests failing = new FailingRequests(FailureKind.UNREACHABLE, Operation.EXTEND);
    Wiretap wire = new Wiretap();
    LockClient client = bench.client().lease(time).tap(failing).tap(wire).open();
    Lease lease = client.lock(bench.name()).acquire(WAIT);
    LossLog losses = LossLog.of(lease);
    Waiting.until("a lease is renewed", bench.within(time), () -> wire.count(Operation.EXTEND) > 0);
    failing.off();
    Waiting.until(
        "a renewal that failed is tried again while the lease is valid",
        bench.within(time),
        () -> wire.extendReplies().stream().anyMatch(Extended.class::isInstance));
    Expect.that(lease.isHeld(), "a lease that was renewed in time must be held");
    Expect.equal(0, losses.count(), "the number of losses told for a lease that is held");
  }

  @Verifies(LEASE_6)
  void aMaximumHoldIsEnforced(Bench bench) throws InterruptedException {
    String name = bench.name();
    LockClient client =
        bench.client().lease(LONG).option("maxHold", SHORT.toMillis() + "ms").open();
    Lease lease = client.lock(name).acquire(WAIT);
    long acquired = System.nanoTime();
    LossLog losses = LossLog.of(lease);
    while (System.nanoTime() - acquired < SHORT.toNanos()) {
      Waiting.pause(Duration.ofMillis(5));
    }
    Expect.that(!lease.isHeld(), "a lease must not be held longer than its maximum");
    losses.expect(LossReason.MAX_HOLD, bench.tolerance());
    Optional<Lease> next = bench.open().lock(name).tryAcquire(bench.within(MOMENT));
    Expect.that(next.isPresent(), "the lock of a lease whose maximum hold is over must be free");
  }

  @Verifies(LEASE_7)
  void aLeaseThatIsEndedByForceIsToldAtItsNextRenewal(Bench bench) throws InterruptedException {
    String name = bench.name();
    Duration time = Duration.ofMillis(2_400);
    Lease lease = bench.client().lease(time).open().lock(name).acquire(WAIT);
    LossLog losses = LossLog.of(lease);
    force(bench, name);
    losses.expect(LossReason.FORCED, bench.within(time));
    Expect.that(!lease.isHeld(), "a lease that was ended by force must not be held");
  }

  @Verifies(LEASE_7)
  void aLeaseThatIsEndedByForceIsToldWhenItIsReleased(Bench bench) throws InterruptedException {
    String name = bench.name();
    Lease lease = bench.client().lease(LONG).open().lock(name).acquire(WAIT);
    LossLog losses = LossLog.of(lease);
    force(bench, name);
    bench.node().granted(name, bench.owner(), LONG);
    Expect.equal(ReleaseResult.LOST, lease.release(), "the result of a release after force");
    losses.expect(LossReason.FORCED, bench.tolerance());
    Expect.that(
        bench.node().isHeld(name), "a lease that was ended by force must not harm its successor");
  }

  @Verifies(LEASE_7)
  void thereIsNoForceAgainstNobody(Bench bench) throws InterruptedException {
    ForcedRelease operator = operator(bench);
    Expect.type(
        NotHeld.class,
        Waiting.result(
            "an answer",
            bench.within(LONG),
            operator.forceRelease(bench.name()).toCompletableFuture()),
        "the answer to a forced release of a free lock");
  }

  private static void force(Bench bench, String name) throws InterruptedException {
    Expect.type(
        Released.class,
        Waiting.result(
            "an answer",
            bench.within(LONG),
            operator(bench).forceRelease(name).toCompletableFuture()),
        "the answer to a forced release");
  }

  private static ForcedRelease operator(Bench bench) {
    return bench
        .node()
        .node()
        .offer(ForcedRelease.class)
        .orElseThrow(() -> Expect.violation("a node that declares FORCED_RELEASE must offer it"));
  }
}
