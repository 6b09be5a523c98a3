package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.SAFE_1;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.spi.Busy;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Granted;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;

/** SAFE-1: at most one holder. */
final class SafeExclusionChecks {
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final int ROUNDS = 25;

  @Verifies(SAFE_1)
  void holdersInSeveralClientsAndThreadsNeverOverlap(Bench bench) throws InterruptedException {
    String name = bench.name();
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger overlaps = new AtomicInteger();
    List<CompletableFuture<Integer>> workers = new ArrayList<>();
    for (int c = 0; c < 3; c++) {
      LockClient client = bench.client().lease(TTL).open();
      for (int t = 0; t < 2; t++) {
        workers.add(bench.fork(() -> work(client.lock(name), inside, overlaps)));
      }
    }
    int sections = 0;
    for (CompletableFuture<Integer> worker : workers) {
      sections += Waiting.result("all workers had the lock", Duration.ofSeconds(15), worker);
    }
    Expect.equal(0, overlaps.get(), "the number of times that two were inside at once");
    Expect.equal(6 * 5, sections, "the number of times that somebody was inside");
  }

  private static int work(DistributedLock lock, AtomicInteger inside, AtomicInteger overlaps)
      throws InterruptedException {
    for (int i = 0; i < 5; i++) {
      try (Lease lease = Contender.take(lock)) {
        if (inside.incrementAndGet() != 1) {
          overlaps.incrementAndGet();
        }
        Thread.sleep(1);
        lease.ensureHeld();
        inside.decrementAndGet();
      }
    }
    return 5;
  }

  @Verifies(SAFE_1)
  void ofSeveralGrantsAtTheSameMomentOneWins(Bench bench) throws InterruptedException {
    List<SyncNode> nodes = List.of(bench.newNode(), bench.newNode(), bench.newNode());
    String[] names = new String[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      names[i] = bench.name();
    }
    CyclicBarrier start = new CyclicBarrier(nodes.size());
    List<CompletableFuture<List<GrantReply>>> racers = new ArrayList<>();
    for (SyncNode node : nodes) {
      racers.add(
          bench.fork(
              () -> {
                List<GrantReply> replies = new ArrayList<>();
                for (String name : names) {
                  start.await();
                  replies.add(node.grant(name, bench.owner(), TTL));
                }
                return replies;
              }));
    }
    int[] winners = new int[ROUNDS];
    for (CompletableFuture<List<GrantReply>> racer : racers) {
      List<GrantReply> replies = Waiting.result("a race", Duration.ofSeconds(15), racer);
      for (int i = 0; i < ROUNDS; i++) {
        GrantReply reply = replies.get(i);
        Expect.that(
            reply instanceof Granted || reply instanceof Busy,
            "a race is won or lost, not " + SyncNode.shown(reply));
        winners[i] += reply instanceof Granted ? 1 : 0;
      }
    }
    int least = bench.subject().quorum().isPresent() ? 0 : 1; // votes may be split: LIVE-A-5
    for (int count : winners) {
      Expect.that(count >= least && count <= 1, "a race must have one winner, and has " + count);
    }
  }
}
