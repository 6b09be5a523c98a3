package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.SAFE_8;
import static io.leasehold.tck.Requirement.SAFE_9;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.spi.Busy;
import io.leasehold.spi.GrantReply;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.ShiftedClock;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.LateReplies;
import io.leasehold.tck.wire.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** SAFE-8 and SAFE-9: for how long a grant can be relied upon. */
final class SafeValidityChecks {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration BRIEF = Duration.ofSeconds(1);

  @Verifies(SAFE_8)
  void theTimeThatAReplyTookIsNotValid(Bench bench) throws InterruptedException {
    Duration lease = Duration.ofSeconds(5);
    Duration late = Duration.ofMillis(400);
    LockClient client =
        bench
            .client()
            .lease(lease)
            .withoutRenewal()
            .commandTimeout(Duration.ofSeconds(5))
            .tap(new LateReplies(late, Operation.GRANT))
            .open();
    try (Lease held = client.lock(bench.name()).acquire(Duration.ofSeconds(5))) {
      Duration drift = lease.dividedBy(100).plusMillis(2);
      Duration most = lease.minus(late).minus(drift);
      Duration remaining = held.remaining();
      Expect.that(
          remaining.compareTo(most) <= 0,
          "a reply that took "
              + late.toMillis()
              + " ms leaves at most "
              + most.toMillis()
              + " ms, and the lease says "
              + remaining.toMillis());
    }
  }

  @Verifies(SAFE_8)
  void aClientThatIsAnHourAheadHarmsNobody(Bench bench) throws InterruptedException {
    expectNoHarm(bench, new ShiftedClock(HOUR), "ahead");
  }

  @Verifies(SAFE_8)
  void aClientThatIsAnHourBehindHarmsNobody(Bench bench) throws InterruptedException {
    expectNoHarm(bench, new ShiftedClock(HOUR.negated()), "behind");
  }

  private static void expectNoHarm(Bench bench, ShiftedClock clock, String how)
      throws InterruptedException {
    Duration time = Duration.ofMillis(700);
    LockClient wrong = bench.client().clock(clock).lease(time).withoutRenewal().open();
    LockClient right = bench.client().lease(time.multipliedBy(2)).open();

    String rights = bench.name();
    try (Lease lease = right.lock(rights).acquire(Duration.ofSeconds(2))) {
      Optional<Lease> taken = wrong.lock(rights).tryAcquire();
      Expect.that(
          taken.isEmpty() || !lease.isHeld(),
          "a client whose wall clock is an hour " + how + " took a lock that another holds");
    }

    DistributedLock wrongs = wrong.lock(bench.name());
    Lease lease = wrongs.acquire(Duration.ofSeconds(2));
    Optional<Lease> taken = right.lock(wrongs.name()).tryAcquire();
    Expect.that(
        taken.isEmpty() || !lease.isHeld(),
        "a lock was taken from a client whose wall clock is an hour " + how);
    Waiting.until(
        "the lease of a client whose wall clock is an hour " + how + " has ended",
        bench.within(time),
        () -> taken.isPresent() || right.lock(wrongs.name()).tryAcquire().isPresent());
    Expect.that(!lease.isHeld(), "a lease must not outlive its lock");
  }

  @Verifies(SAFE_8)
  void theClockOfTheServerDecidesWhetherALockIsBusy(Bench bench) throws InterruptedException {
    Duration time = Duration.ofSeconds(20);
    SyncNode right = bench.node();
    for (Duration shift : List.of(HOUR, HOUR.negated())) {
      SyncNode wrong = bench.newNode(bench.client().clock(new ShiftedClock(shift)));
      String who = "a client whose wall clock is wrong by " + shift;
      String held = bench.name();
      String owner = bench.owner();
      right.granted(held, owner, time);
      Expect.type(
          Busy.class,
          wrong.grant(held, bench.owner(), time),
          "the reply to a grant of a lock that another holds, to " + who + ",");
      right.release(held, owner);
      String ended = bench.name();
      right.granted(ended, bench.owner(), Duration.ofMillis(100));
      Expect.that(
          !ends(bench, right, ended) || !(settled(wrong, ended, bench.owner()) instanceof Busy),
          "a lock that has ended is answered Busy to " + who);
    }
  }

  /** Whether a brief lock ends in time; that it must is LIVE-A-1. */
  private static boolean ends(Bench bench, SyncNode node, String name) throws InterruptedException {
    long end = System.nanoTime() + bench.within(BRIEF).toNanos();
    while (node.isHeld(name)) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      Waiting.pause(Duration.ofMillis(20));
    }
    return true;
  }

  /** A member of a quorum may see the end of a lock a little later than the others. */
  private static GrantReply settled(SyncNode node, String name, String owner)
      throws InterruptedException {
    long end = System.nanoTime() + BRIEF.toNanos();
    GrantReply reply = node.grant(name, owner, BRIEF);
    while (reply instanceof Busy busy && !busy.answers().isEmpty() && System.nanoTime() - end < 0) {
      Waiting.pause(Duration.ofMillis(20));
      reply = node.grant(name, owner, BRIEF);
    }
    return reply;
  }

  @Verifies(SAFE_9)
  void aGrantThatCameTooLateIsNoLease(Bench bench) {
    Duration lease = Duration.ofMillis(200);
    LockClient client =
        bench
            .client()
            .lease(lease)
            .commandTimeout(Duration.ofSeconds(5))
            .tap(new LateReplies(lease.multipliedBy(2), Operation.GRANT))
            .open();
    Optional<Lease> given;
    try {
      given = client.lock(bench.name()).tryAcquire();
    } catch (LockUnavailableException e) {
      return; // what must happen
    }
    Expect.that(
        given.isEmpty(), "a grant that took twice its lease time was handed out as a lease");
  }
}
