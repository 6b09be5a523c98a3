package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.LEASE_4;
import static io.leasehold.tck.Requirement.LEASE_5;

import io.leasehold.Lease;
import io.leasehold.LeaseLostException;
import io.leasehold.LockClient;
import io.leasehold.LossReason;
import io.leasehold.spi.Inspection.Holder;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.ShiftedClock;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.LateReplies;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;

/** LEASE-4 and LEASE-5: what a holder believes about time. */
final class LeaseTimeChecks {
  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final Duration HOUR = Duration.ofHours(1);

  @Verifies(LEASE_4)
  void whatALeaseSaysRemainsIsNeverMoreThanTheServerSays(Bench bench) throws InterruptedException {
    String name = bench.name();
    Duration time = Duration.ofSeconds(2);
    Wiretap wire = new Wiretap();
    LockClient client =
        bench
            .client()
            .lease(time)
            .tap(new LateReplies(Duration.ofMillis(150), Operation.GRANT, Operation.EXTEND))
            .tap(wire)
            .open();
    Lease lease = client.lock(name).acquire(WAIT);
    Waiting.until(
        "a lease is renewed",
        bench.within(time),
        () -> {
          compare(bench, name, lease);
          return !wire.extendReplies().isEmpty();
        });
    for (int i = 0; i < 30; i++) {
      compare(bench, name, lease);
      Waiting.pause(Duration.ofMillis(10));
    }
  }

  /** The server is asked after the lease: a renewal between the two can only help the lease. */
  private static void compare(Bench bench, String name, Lease lease) throws InterruptedException {
    long before = System.nanoTime();
    long believed = lease.remaining().toMillis();
    long served = bench.node().inspect(name).holder().map(Holder::remainingMillis).orElse(0L);
    long passed = (System.nanoTime() - before) / 1_000_000 + 1;
    Expect.that(
        served == Holder.NO_EXPIRY || believed <= served + passed,
        "a lease believes in " + believed + " ms, and the server ends it in " + served + " ms");
  }

  @Verifies(LEASE_5)
  void aSuspensionThatOnlyTheWallClockShowsEndsTheLease(Bench bench) throws InterruptedException {
    ShiftedClock clock = new ShiftedClock(Duration.ZERO);
    expectEnded(bench, clock, () -> clock.moveWall(HOUR), "the wall clock shows that an hour");
  }

  @Verifies(LEASE_5)
  void aPauseThatTheMonotonicClockShowsEndsTheLease(Bench bench) throws InterruptedException {
    ShiftedClock clock = new ShiftedClock(Duration.ZERO);
    expectEnded(
        bench, clock, () -> clock.moveMonotonic(HOUR), "the monotonic clock shows that an hour");
  }

  private static void expectEnded(Bench bench, ShiftedClock clock, Runnable pause, String shown)
      throws InterruptedException {
    LockClient client = bench.client().clock(clock).lease(Duration.ofSeconds(20)).open();
    Lease lease = client.lock(bench.name()).acquire(WAIT);
    LossLog losses = LossLog.of(lease);
    pause.run();
    Expect.that(!lease.isHeld(), "a lease is still held when " + shown + " has passed");
    Expect.that(lease.remaining().isZero(), "something remains when " + shown + " has passed");
    Expect.thrown(
        LeaseLostException.class,
        () -> {
          lease.ensureHeld();
          return "nothing";
        },
        "ensureHeld when " + shown + " has passed");
    losses.expect(LossReason.RENEWAL_FAILED, bench.tolerance());
  }

  @Verifies(LEASE_5)
  void aSuspensionIsToldToAHolderThatDoesNotAsk(Bench bench) throws InterruptedException {
    ShiftedClock clock = new ShiftedClock(Duration.ZERO);
    Duration time = Duration.ofMillis(900);
    LockClient client = bench.client().clock(clock).lease(time).open();
    Lease lease = client.lock(bench.name()).acquire(WAIT);
    LossLog losses = LossLog.of(lease);
    clock.moveWall(HOUR);
    losses.expect(LossReason.RENEWAL_FAILED, bench.within(time));
  }
}
