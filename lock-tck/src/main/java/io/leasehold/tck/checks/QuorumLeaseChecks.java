package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.LEASE_1;
import static io.leasehold.tck.Requirement.LEASE_2;
import static io.leasehold.tck.Requirement.SAFE_8;
import static io.leasehold.tck.Requirement.SAFE_9;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Granted;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Members;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Verifies.Needs;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.LateReplies;
import io.leasehold.tck.wire.MemberTaps;
import io.leasehold.tck.wire.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** LEASE-1, LEASE-2, SAFE-8 and SAFE-9 on a quorum: how long a lease lasts. */
final class QuorumLeaseChecks {
  /** Long enough for its renewal to come in time on a busy machine. */
  private static final Duration RENEWED = Duration.ofMillis(2_400);

  private static final Duration SETTLED = Duration.ofMillis(200);
  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final Duration SHORT = Duration.ofMillis(600);
  private static final Duration TOO_LATE = Duration.ofMillis(900);

  /** A lease, and what is needed to take it away on single nodes. */
  private record Held(Members members, Lease lease, String name, String owner) {

    static Held by(Bench bench) throws InterruptedException {
      Members members = bench.members();
      members.reach();
      MemberTaps taps = members.taps();
      LockClient client = bench.client().lease(RENEWED).members(taps).open();
      String name = bench.name();
      Lease lease = client.lock(name).acquire(WAIT);
      String owner =
          members.all().stream()
              .flatMap(member -> taps.wire(member).grants().stream())
              .reduce((earlier, last) -> last)
              .orElseThrow(() -> new IllegalStateException("no member was asked for a lease"))
              .owner();
      Waiting.pause(SETTLED);
      return new Held(members, lease, name, owner);
    }

    /** Deletes the lock on single nodes, until just so many have it. */
    List<Integer> deleteUntil(int left) throws InterruptedException {
      List<Integer> holding = new ArrayList<>();
      for (int member : members.some(members.size())) {
        boolean ours =
            members.inspect(member, name).holder().stream().anyMatch(h -> h.owner().equals(owner));
        if (ours) {
          holding.add(member);
        }
      }
      Expect.that(
          holding.size() >= members.majority(), "a lease must be held on a majority of the nodes");
      List<Integer> gone = holding.subList(left, holding.size());
      for (int member : gone) {
        members.at(member).release(name, owner);
      }
      return gone;
    }
  }

  @Verifies(value = LEASE_1, needs = Needs.QUORUM)
  void aLeaseThatAMajorityOfTheNodesLostIsLost(Bench bench) throws InterruptedException {
    Held held = Held.by(bench);
    held.deleteUntil(held.members.majority() - 1);
    Waiting.until(
        "a lease that a majority has lost is told so",
        bench.within(RENEWED),
        () -> !held.lease.isHeld());
  }

  @Verifies(value = LEASE_1, needs = Needs.QUORUM)
  void aLeaseThatAMinorityOfTheNodesLostGoesOn(Bench bench) throws InterruptedException {
    Held held = Held.by(bench);
    held.deleteUntil(held.members.majority());
    Waiting.always(
        "a lease that a majority still has is held", RENEWED.plus(RENEWED), held.lease::isHeld);
    Expect.equal(ReleaseResult.RELEASED, held.lease.release(), "the release of such a lease");
  }

  @Verifies(value = LEASE_2, needs = Needs.QUORUM)
  void aRenewalBringsALockThatAMajorityLostBackOnNoNode(Bench bench) throws InterruptedException {
    Held held = Held.by(bench);
    List<Integer> gone = held.deleteUntil(held.members.majority() - 1);
    Waiting.until(
        "a lease that a majority has lost is told so",
        bench.within(RENEWED),
        () -> {
          expectGone(held, gone);
          return !held.lease.isHeld();
        });
    Waiting.pause(Duration.ofMillis(100));
    expectGone(held, gone);
  }

  private static void expectGone(Held held, List<Integer> gone) throws InterruptedException {
    for (int member : gone) {
      Expect.that(
          !held.members.isHeld(member, held.name),
          "a renewal has brought a lock back on " + held.members.address(member));
    }
  }

  @Verifies(
      value = SAFE_8,
      needs = {Needs.QUORUM, Needs.FENCING})
  void theTimeOfASecondRoundCountsToo(Bench bench) throws InterruptedException {
    SyncNode node = bench.newNode(slowSecondRound(bench));
    String name = bench.name();
    bench.members().drift(name);
    long start = System.nanoTime();
    GrantReply reply = node.grant(name, bench.owner(), SHORT);
    Expect.that(
        !(reply instanceof Granted) || isYoung(start),
        "a quorum whose second round took longer than the lease must not grant it");
  }

  /** Whether it is so short a time ago that no answer to a raise can have been awaited. */
  private static boolean isYoung(long sinceNanos) {
    return System.nanoTime() - sinceNanos < SHORT.toNanos();
  }

  @Verifies(
      value = SAFE_9,
      needs = {Needs.QUORUM, Needs.FENCING})
  void aGrantWhoseSecondRoundCameTooLateIsNoLease(Bench bench) throws InterruptedException {
    LockClient client = slowSecondRound(bench).lease(SHORT).open();
    String name = bench.name();
    bench.members().drift(name);
    long start = System.nanoTime();
    Optional<Lease> given;
    try {
      given = client.lock(name).tryAcquire();
    } catch (LockUnavailableException e) {
      return; // what must happen
    }
    Expect.that(
        given.isEmpty() || isYoung(start),
        "a grant that took longer than its lease was handed out as one");
  }

  private static Opening slowSecondRound(Bench bench) {
    MemberTaps taps = bench.members().taps();
    bench.members().all().forEach(i -> taps.on(i, new LateReplies(TOO_LATE, Operation.RAISE)));
    return bench.client().commandTimeout(WAIT).members(taps);
  }
}
