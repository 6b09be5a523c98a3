package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.FENCE_5;
import static io.leasehold.tck.Requirement.FENCE_8;
import static io.leasehold.tck.Requirement.FENCE_9;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.tck.ReferenceStore;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Replays;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Lock;

/** FENCE-5, 8 and 9: tokens in use. */
final class FenceUseChecks {
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration WAIT = Duration.ofSeconds(5);

  @Verifies(FENCE_5)
  void aReplayedGrantHasANewToken(Bench bench) throws InterruptedException {
    SyncNode node = bench.node();
    String name = bench.name();
    GrantRequest request = SyncNode.request(name, bench.owner(), TTL, node.serverMicros());
    long first = node.granted(request).token();
    long second = node.granted(request).token();
    Expect.that(second > first, "a replayed grant had " + second + " after " + first);
    node.release(name, request.owner());
    String other = bench.owner();
    long third = node.granted(SyncNode.request(name, other, TTL, request.proposal())).token();
    Expect.that(third > second, "after a replayed grant, " + third + " followed " + second);
    Object late = node.grant(request);
    Expect.that(
        !(late instanceof Granted), "a replay took the lock from another: " + SyncNode.shown(late));
  }

  @Verifies(FENCE_5)
  void leasesOfAClientWhoseRequestsAreReplayedHaveTokensOfTheirOwn(Bench bench)
      throws InterruptedException {
    LockClient replaying = bench.client().tap(new Replays(Operation.GRANT)).open();
    LockClient plain = bench.open();
    String name = bench.name();
    Set<Long> tokens = new HashSet<>();
    for (int i = 0; i < 6; i++) {
      LockClient client = i % 2 == 0 ? replaying : plain;
      try (Lease lease = client.lock(name).acquire(WAIT)) {
        Expect.that(
            tokens.add(lease.fencingToken()),
            "the token " + lease.fencingToken() + " was given out before");
      }
    }
  }

  @Verifies(FENCE_8)
  @SuppressWarnings("LockNotBeforeTry") // the client is closed with the bench, and its locks end
  void reEntrySendsNothingAndKeepsTheToken(Bench bench) throws InterruptedException {
    Wiretap wire = new Wiretap();
    LockClient client = bench.client().tap(wire).open();
    String name = bench.name();
    Lock lock = client.lock(name).asLock();
    lock.lock();
    long fence = bench.node().inspect(name).fence();
    lock.lock();
    Expect.that(lock.tryLock(), "a thread that holds the lock can enter again");
    Expect.equal(1, wire.count(Operation.GRANT), "the number of grants asked for by re-entry");
    Expect.equal(fence, bench.node().inspect(name).fence(), "the fence after re-entry");
    lock.unlock();
    lock.unlock();
    lock.unlock();
  }

  @Verifies(FENCE_9)
  void theStoreRefusesAHolderThatOversleptItsLease(Bench bench) throws InterruptedException {
    Duration time = Duration.ofMillis(300);
    ReferenceStore store = new ReferenceStore();
    String name = bench.name();
    Lease old = bench.client().lease(time).withoutRenewal().open().lock(name).acquire(WAIT);
    Expect.that(store.write("row", "old", old.fencingToken()), "the first write must be taken");
    Waiting.pause(time); // asleep
    try (Lease next = bench.open().lock(name).acquire(bench.within(time))) {
      Expect.that(
          store.write("row", "new", next.fencingToken()),
          "the store refused the new holder: its token is smaller than the old one's");
      Expect.that(
          !store.write("row", "stale", old.fencingToken()),
          "the store took the write of a holder that overslept: its token is no smaller");
      Expect.equal("new", store.read("row").orElse(""), "what the store has");
    }
  }
}
