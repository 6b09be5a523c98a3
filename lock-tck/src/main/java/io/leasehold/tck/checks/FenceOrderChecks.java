package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.FENCE_1;
import static io.leasehold.tck.Requirement.FENCE_2;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.spi.Busy;
import io.leasehold.spi.Capability;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Raised;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** FENCE-1 and FENCE-2: tokens are unique, and grow. */
final class FenceOrderChecks {
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final long SECOND = 1_000_000;

  /** A lease as its holder saw it: when it was asked for, when it was there, and its token. */
  private record Taken(long askedNanos, long gotNanos, long token) {}

  @Verifies(FENCE_1)
  void noTwoLeasesOfSeveralClientsShareAToken(Bench bench) throws InterruptedException {
    List<Taken> leases = leasesOfAStorm(bench);
    long tokens = leases.stream().mapToLong(Taken::token).distinct().count();
    Expect.equal((long) leases.size(), tokens, "the number of different tokens");
  }

  @Verifies(FENCE_1)
  void clientsThatProposeTheSameTokenDoNotShareIt(Bench bench) throws InterruptedException {
    List<SyncNode> nodes = List.of(bench.newNode(), bench.newNode());
    String name = bench.name();
    long proposal = bench.node().serverMicros() + SECOND;
    List<Long> tokens = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      SyncNode node = nodes.get(i % 2);
      tokens.add(takenAndGivenBack(bench, node, name, proposal));
    }
    Expect.equal(
        tokens.size(), new HashSet<>(tokens).size(), "the number of different tokens in " + tokens);
  }

  @Verifies(FENCE_2)
  void tokensOfSeveralClientsGrowInTheOrderOfTheirLeases(Bench bench) throws InterruptedException {
    List<Taken> leases = leasesOfAStorm(bench);
    for (Taken earlier : leases) {
      for (Taken later : leases) {
        Expect.that(
            earlier.gotNanos - later.askedNanos >= 0 || earlier.token < later.token,
            "the token " + later.token + " was asked for after " + earlier.token + " was there");
      }
    }
  }

  private static List<Taken> leasesOfAStorm(Bench bench) throws InterruptedException {
    String name = bench.name();
    List<CompletableFuture<List<Taken>>> workers = new ArrayList<>();
    for (int c = 0; c < 3; c++) {
      LockClient client = bench.open();
      for (int t = 0; t < 2; t++) {
        workers.add(bench.fork(() -> collect(client.lock(name))));
      }
    }
    List<Taken> all = new ArrayList<>();
    for (CompletableFuture<List<Taken>> worker : workers) {
      all.addAll(Waiting.result("all workers had the lock", Duration.ofSeconds(15), worker));
    }
    return all;
  }

  private static List<Taken> collect(DistributedLock lock) throws InterruptedException {
    List<Taken> taken = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      long asked = System.nanoTime();
      try (Lease lease = Contender.take(lock)) {
        taken.add(new Taken(asked, System.nanoTime(), lease.fencingToken()));
      }
    }
    return taken;
  }

  @Verifies(FENCE_2)
  void tokensGrowWhateverClientsPropose(Bench bench) throws InterruptedException {
    List<SyncNode> nodes = List.of(bench.newNode(), bench.newNode());
    String name = bench.name();
    List<Long> tokens = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      SyncNode node = nodes.get(i % 2);
      long proposal = node.serverMicros() + bench.random().nextLong(-10 * SECOND, 6 * SECOND);
      tokens.add(takenAndGivenBack(bench, node, name, proposal));
    }
    expectGrowing(tokens);
  }

  /**
   * The token of a lease. Releases that a quorum did not wait for may keep it busy for a moment.
   */
  private static long takenAndGivenBack(Bench bench, SyncNode node, String name, long proposal)
      throws InterruptedException {
    long end = System.nanoTime() + SOON.toNanos();
    while (true) {
      GrantRequest request = SyncNode.request(name, bench.owner(), TTL, proposal);
      GrantReply reply = node.grant(request);
      if (reply instanceof Busy && System.nanoTime() - end < 0) {
        Waiting.pause(Duration.ofMillis(5));
        continue;
      }
      long token = Expect.type(Granted.class, reply, "the reply to " + request).token();
      node.release(name, request.owner());
      return token;
    }
  }

  @Verifies(FENCE_2)
  void tokensGrowAfterARaiseAndByATransfer(Bench bench) throws InterruptedException {
    SyncNode node = bench.node();
    String name = bench.name();
    List<Long> tokens = new ArrayList<>();
    String owner = bench.owner();
    tokens.add(node.granted(name, owner, TTL).token());
    long raised = tokens.get(0) + SECOND;
    Expect.type(Raised.class, node.raise(name, owner, raised), "the reply to the owner's raise");
    tokens.add(raised);
    if (node.has(Capability.TRANSFER)) {
      String next = bench.owner();
      tokens.add(
          Expect.type(
                  Granted.class,
                  node.transfer(name, owner, next, TTL),
                  "the reply to the owner's transfer")
              .token());
      owner = next;
    }
    node.release(name, owner);
    tokens.add(node.granted(SyncNode.request(name, bench.owner(), TTL, 1)).token());
    expectGrowing(tokens);
  }

  private static void expectGrowing(List<Long> tokens) {
    for (int i = 1; i < tokens.size(); i++) {
      Expect.that(
          tokens.get(i) > tokens.get(i - 1),
          "the token " + tokens.get(i) + " was given out after " + tokens.get(i - 1));
    }
  }
}
