package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.LIVE_A_1;
import static io.leasehold.tck.Requirement.LIVE_A_3;
import static io.leasehold.tck.Requirement.LIVE_A_4;

import io.leasehold.LockClient;
import io.leasehold.LockTimeoutException;
import io.leasehold.LockUnavailableException;
import io.leasehold.spi.Capability;
import io.leasehold.spi.Expired;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.Queueing;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.LateRequests;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;

/** LIVE-A-1, 3 and 4: every lock ends, and none begins late. */
final class LiveCrashChecks {

  @Verifies(LIVE_A_1)
  void theLockOfACrashedHolderComesFree(Bench bench) throws InterruptedException {
    Duration ttl = Duration.ofMillis(600);
    String name = bench.name();
    LockClient client = bench.open();
    bench.node().granted(name, bench.owner(), ttl);
    try {
      client.lock(name).acquire(bench.within(ttl)).close();
    } catch (LockTimeoutException e) {
      throw Expect.violation(
          "the lock of a holder that is gone, with a lease of "
              + ttl.toMillis()
              + " ms, was still busy after "
              + bench.within(ttl).toMillis()
              + " ms");
    }
  }

  @Verifies(LIVE_A_3)
  void noRequestLeavesALockWithoutAnExpiry(Bench bench) throws InterruptedException {
    SyncNode node = bench.node();
    Duration ttl = Duration.ofSeconds(10);
    String name = bench.name();
    String owner = bench.owner();
    node.granted(name, owner, ttl);
    expectExpiry(node, name, ttl, "a grant");
    node.granted(name, owner, ttl);
    expectExpiry(node, name, ttl, "a repeated grant");
    node.extend(name, owner, ttl);
    expectExpiry(node, name, ttl, "an extension");
    if (node.has(Capability.FENCING)) {
      node.raise(name, owner, node.inspect(name).fence() + 1);
      expectExpiry(node, name, ttl, "a raise");
    }
    if (node.has(Capability.TRANSFER)) {
      String next = bench.owner();
      node.transfer(name, owner, next, ttl);
      expectExpiry(node, name, ttl, "a transfer");
    }
  }

  private static void expectExpiry(SyncNode node, String name, Duration ttl, String after)
      throws InterruptedException {
    Inspection.Holder holder =
        node.inspect(name)
            .holder()
            .orElseThrow(() -> Expect.violation("after " + after + " nobody holds the lock"));
    long remaining = holder.remainingMillis();
    Expect.that(
        remaining != Inspection.Holder.NO_EXPIRY, "after " + after + " the lock has no expiry");
    Expect.that(
        remaining <= ttl.toMillis() + 1,
        "after " + after + " the lock lives for " + remaining + " ms, longer than was asked for");
  }

  @Verifies(LIVE_A_4)
  void aGrantPastItsDeadlineGrantsNothing(Bench bench) throws InterruptedException {
    SyncNode node = bench.node();
    String name = bench.name();
    long past = node.serverMicros() - 1_000;
    GrantRequest late = new GrantRequest(name, bench.owner(), 10_000, past, past, Queueing.NONE);
    Expect.type(Expired.class, node.grant(late), "the reply to a grant past its deadline");
    Expect.that(!node.isHeld(name), "a grant past its deadline must leave nothing");
    long ahead = node.serverMicros() + 60_000_000;
    node.granted(new GrantRequest(name, bench.owner(), 10_000, past, ahead, Queueing.NONE));
  }

  @Verifies(LIVE_A_4)
  void aRequestThatArrivesWhenItsClientHasGivenUpGrantsNothing(Bench bench)
      throws InterruptedException {
    Wiretap wire = new Wiretap();
    Duration late = Duration.ofMillis(1_200); // twice what a client waits for an answer
    LockClient client =
        bench
            .client()
            .commandTimeout(Duration.ofMillis(500)) // whatever the subject's own is
            .tap(wire)
            .tap(new LateRequests(late, Operation.GRANT))
            .open();
    String name = bench.name();
    Expect.thrown(
        LockUnavailableException.class,
        () -> client.lock(name).tryAcquire(),
        "tryAcquire with a request that is under way for too long");
    Waiting.until(
        "the late request has arrived", bench.within(late), () -> !wire.grantReplies().isEmpty());
    Expect.type(Expired.class, wire.grantReplies().get(0), "the reply to the late request");
    Expect.that(!bench.node().isHeld(name), "a request that came too late has left a lock");
  }
}
