package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.LIVE_A_6;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.spi.FailureKind;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.FailingRequests;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;

/** LIVE-A-6: when renewal stops. */
final class LiveRenewalChecks {
  private static final Duration LEASE = Duration.ofMillis(1_500);

  /** More than a renewal is away from the next. */
  private static final Duration WATCH = Duration.ofMillis(800);

  private static final Duration WAIT = Duration.ofSeconds(5);

  @Verifies(LIVE_A_6)
  void renewalStopsAtRelease(Bench bench) throws InterruptedException {
    Wiretap wire = new Wiretap();
    LockClient client = renewing(bench, wire).open();
    Lease lease = client.lock(bench.name()).acquire(WAIT);
    awaitRenewal(bench, wire);
    lease.release();
    expectSilence(wire);
  }

  @Verifies(LIVE_A_6)
  void renewalStopsAtClose(Bench bench) throws InterruptedException {
    Wiretap wire = new Wiretap();
    LockClient client = renewing(bench, wire).open();
    String name = bench.name();
    client.lock(name).acquire(WAIT);
    awaitRenewal(bench, wire);
    client.close();
    expectSilence(wire);
    Expect.that(!bench.node().isHeld(name), "closing a client releases what it holds");
  }

  @Verifies(LIVE_A_6)
  void renewalStopsWhenTheLeaseCannotBeReached(Bench bench) throws InterruptedException {
    Wiretap wire = new Wiretap();
    FailingRequests failing = new FailingRequests(FailureKind.TIMEOUT, Operation.EXTEND);
    LockClient client = bench.client().lease(LEASE).tap(failing).tap(wire).open();
    Lease lease = client.lock(bench.name()).acquire(WAIT);
    Waiting.until("the lease is lost", bench.within(LEASE), () -> !lease.isHeld());
    Expect.that(wire.count(Operation.EXTEND) > 0, "renewal must have been tried");
    failing.off();
    expectSilence(wire);
  }

  private static Opening renewing(Bench bench, Wiretap wire) {
    return bench.client().lease(LEASE).tap(wire);
  }

  private static void awaitRenewal(Bench bench, Wiretap wire) throws InterruptedException {
    Waiting.until("a renewal", bench.within(LEASE), () -> wire.count(Operation.EXTEND) > 0);
  }

  private static void expectSilence(Wiretap wire) throws InterruptedException {
    Waiting.pause(Duration.ofMillis(250)); // for what was under way, also on a busy machine
    int sent = wire.count(Operation.EXTEND);
    Waiting.always(
        "no extension is sent any more", WATCH, () -> wire.count(Operation.EXTEND) == sent);
  }
}
