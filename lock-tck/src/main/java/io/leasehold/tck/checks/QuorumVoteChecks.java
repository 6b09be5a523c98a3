package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.LIVE_A_2;
import static io.leasehold.tck.Requirement.LIVE_A_5;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.LockUnavailableException;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Members;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Verifies.Needs;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.LateReplies;
import io.leasehold.tck.wire.MemberTaps;
import io.leasehold.tck.wire.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;

/** LIVE-A-2 and LIVE-A-5 on a quorum: votes that were in vain, and votes that were split. */
final class QuorumVoteChecks {
  private static final Duration TTL = Duration.ofSeconds(20);
  private static final Duration LATE = Duration.ofMillis(250);
  private static final Duration COMMAND = Duration.ofSeconds(2);
  private static final Duration CLEARED = Duration.ofSeconds(2);
  private static final Duration SPLIT = Duration.ofMillis(500);
  private static final Duration RESOLVED = Duration.ofSeconds(2);
  private static final Duration A_CROWD_SERVED = Duration.ofSeconds(8);
  private static final int ROUNDS = 3;

  @Verifies(value = LIVE_A_2, needs = Needs.QUORUM)
  void anAttemptThatGotTooFewVotesLeavesNothingOnAnyNode(Bench bench) throws InterruptedException {
    Members members = bench.members();
    expectNothingLeft(bench, members.taps(), members.some(members.majority()));
  }

  @Verifies(value = LIVE_A_2, needs = Needs.QUORUM)
  void anAttemptThatGotItsFewVotesLateLeavesNothingOnAnyNode(Bench bench)
      throws InterruptedException {
    Members members = bench.members();
    List<Integer> others = members.some(members.majority());
    MemberTaps taps = members.taps();
    for (int member : members.without(others)) {
      taps.on(member, new LateReplies(LATE, Operation.GRANT));
    }
    expectNothingLeft(bench, taps, others);
  }

  private static void expectNothingLeft(Bench bench, MemberTaps taps, List<Integer> others)
      throws InterruptedException {
    Members members = bench.members();
    List<Integer> free = members.without(others);
    String name = bench.name();
    LockClient client = bench.client().commandTimeout(COMMAND).members(taps).open();
    members.occupy(others, name, TTL);
    try {
      client.lock(name).tryAcquire().ifPresent(Lease::close);
    } catch (LockUnavailableException e) {
      // It failed. Whether it must, and how, is another check's business.
    }
    Waiting.pause(LATE);
    members.expectFree(free, name, CLEARED, "of an attempt that got too few votes");
  }

  @Verifies(value = LIVE_A_2, needs = Needs.QUORUM)
  void aReleasedLockIsGoneFromEveryNode(Bench bench) throws InterruptedException {
    Members members = bench.members();
    MemberTaps taps = members.taps();
    for (int member : members.some(members.minority())) {
      taps.on(member, new LateReplies(LATE, Operation.GRANT));
    }
    LockClient client = bench.client().commandTimeout(COMMAND).members(taps).open();
    String name = bench.name();
    client.lock(name).acquire(TTL).release();
    Waiting.pause(LATE);
    members.expectFree(members.all(), name, CLEARED, "of a lock that was released");
  }

  @Verifies(value = LIVE_A_5, seconds = 60)
  void contendersThatStartAtTheSameMomentAllGetTheLock(Bench bench) throws InterruptedException {
    String name = bench.name();
    int crowd = Math.max(6, bench.members().size() + 1); // enough for a vote each, and one more
    CyclicBarrier start = new CyclicBarrier(crowd);
    List<LockClient> clients = new ArrayList<>();
    for (int i = 0; i < crowd; i++) {
      clients.add(bench.open());
    }
    List<CompletableFuture<Integer>> contenders = new ArrayList<>();
    for (LockClient client : clients) {
      contenders.add(
          bench.fork(
              () -> {
                for (int round = 0; round < ROUNDS; round++) {
                  start.await();
                  hold(client, name, bench.within(A_CROWD_SERVED));
                }
                return ROUNDS;
              }));
    }
    expectAll(contenders, bench.within(A_CROWD_SERVED).multipliedBy(ROUNDS));
  }

  /** All of them end well; the first that does not ends the check. */
  private static void expectAll(List<CompletableFuture<Integer>> contenders, Duration bound)
      throws InterruptedException {
    Waiting.until(
        "every contender had the lock",
        bound,
        () -> {
          for (CompletableFuture<Integer> contender : contenders) {
            if (contender.isCompletedExceptionally()) {
              Waiting.result("a contender", bound, contender);
            }
          }
          return contenders.stream().allMatch(CompletableFuture::isDone);
        });
  }

  private static void hold(LockClient client, String name, Duration wait)
      throws InterruptedException {
    try (Lease lease = client.lock(name).acquire(wait)) {
      Thread.sleep(1);
      lease.ensureHeld();
    } catch (LockException e) {
      throw Expect.violation("one of several that started together did not get the lock: " + e);
    }
  }

  @Verifies(LIVE_A_5)
  void votesThatWereSplitAmongCrashedClientsResolveSoonAfterTheirEnd(Bench bench)
      throws InterruptedException {
    Members members = bench.members();
    int half = members.size() / 2;
    String name = bench.name();
    List<LockClient> clients = List.of(bench.open(), bench.open());
    members.occupy(members.all().subList(0, half), name, SPLIT);
    members.occupy(members.all().subList(half, members.size()), name, SPLIT);
    Duration bound = SPLIT.plus(RESOLVED);
    List<CompletableFuture<Boolean>> waiters = new ArrayList<>();
    for (LockClient client : clients) {
      waiters.add(
          bench.fork(
              () -> {
                hold(client, name, bench.within(bound));
                return true;
              }));
    }
    for (CompletableFuture<Boolean> waiter : waiters) {
      Waiting.result("a waiter has the lock after split votes", bench.within(bound), waiter);
    }
  }
}
