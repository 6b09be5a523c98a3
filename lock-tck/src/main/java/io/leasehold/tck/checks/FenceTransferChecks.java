package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.FENCE_11;

import io.leasehold.LockClient;
import io.leasehold.spi.Granted;
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
import java.util.concurrent.CopyOnWriteArrayList;

/** FENCE-11: the tokens of transfers. */
final class FenceTransferChecks {
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final long SECOND = 1_000_000;
  private static final long YEAR = 365L * 24 * 3_600 * SECOND;

  /** Proposals by how far they are from the clock: behind, at it, ahead, and out of reach. */
  private static final long[] FROM_THE_CLOCK = {
    -10 * SECOND, -SECOND, 0, -YEAR, 0, YEAR, SECOND, -SECOND, 2 * SECOND, -10 * SECOND, 4 * SECOND
  };

  @Verifies(FENCE_11)
  void theTokenOfATransferLiesBetweenTheEarlierAndTheLaterOnes(Bench bench)
      throws InterruptedException {
    SyncNode node = bench.node();
    String name = bench.name();
    String holder = bench.owner();
    long last = node.granted(SyncNode.request(name, holder, TTL, node.serverMicros())).token();
    for (long away : FROM_THE_CLOCK) {
      String next = bench.owner();
      long proposal = node.serverMicros() + away;
      Granted granted =
          Expect.type(
              Granted.class,
              node.transfer(name, holder, next, TTL, proposal),
              "the reply to the owner's transfer");
      Expect.that(
          granted.token() > last,
          "a transfer brought the token " + granted.token() + " after " + last);
      last = granted.token();
      holder = next;
    }
    node.release(name, holder);
    long later = node.granted(SyncNode.request(name, bench.owner(), TTL, 1)).token();
    Expect.that(later > last, "the token " + later + " was given out after " + last);
  }

  @Verifies(value = FENCE_11, seconds = 60)
  void callsOfTwoClientsThatContendShareNoTokenAndThoseOfEachGrow(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    List<List<Long>> tokens = new ArrayList<>();
    List<CompletableFuture<Boolean>> calls = new ArrayList<>();
    for (int c = 0; c < 2; c++) {
      LockClient client = bench.client().lease(LiveHandoverChecks.LEASE).open();
      List<Long> ofClient = new CopyOnWriteArrayList<>();
      tokens.add(ofClient);
      for (int t = 0; t < 3; t++) {
        calls.add(bench.fork(() -> LiveHandoverChecks.collect(client.lock(name), ofClient)));
      }
    }
    for (CompletableFuture<Boolean> call : calls) {
      Waiting.result("an end of the calls", bench.within(PATIENCE), call);
    }
    List<Long> all = new ArrayList<>();
    for (List<Long> ofClient : tokens) {
      all.addAll(ofClient);
      for (int i = 1; i < ofClient.size(); i++) {
        Expect.that(
            ofClient.get(i) > ofClient.get(i - 1),
            "the token " + ofClient.get(i) + " was given out after " + ofClient.get(i - 1));
      }
    }
    Expect.equal(all.size(), new HashSet<>(all).size(), "the number of different tokens");
  }
}
