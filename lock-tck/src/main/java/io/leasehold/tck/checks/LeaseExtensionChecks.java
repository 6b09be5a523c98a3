package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.LEASE_1;
import static io.leasehold.tck.Requirement.LEASE_2;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LossReason;
import io.leasehold.spi.Inspection.Holder;
import io.leasehold.spi.NotHeld;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.LateReplies;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;

/** LEASE-1 and LEASE-2: what an extension needs, and what it never does. */
final class LeaseExtensionChecks {
  private static final Duration LONG = Duration.ofSeconds(20);

  /** Long enough for its renewal to come in time on a busy machine. */
  private static final Duration RENEWED = Duration.ofMillis(2_400);

  private static final Duration WAIT = Duration.ofSeconds(10);

  @Verifies(LEASE_1)
  void anExtensionByAStrangerChangesNothing(Bench bench) throws InterruptedException {
    String name = bench.name();
    String holder = bench.owner();
    Duration ttl = Duration.ofSeconds(5);
    bench.node().granted(name, holder, ttl);
    expectNotHeld(bench.newNode(), name, bench.owner(), "a stranger's extension");
    expectHolder(bench, name, holder, ttl);
  }

  @Verifies(LEASE_1)
  void anExtensionByAHolderWhoseLockEndedDoesNotTouchItsSuccessor(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    String former = bench.owner();
    String successor = bench.owner();
    Duration ttl = Duration.ofSeconds(5);
    bench.node().granted(name, former, Duration.ofMillis(400));
    Waiting.until(
        "a lock of 100 ms has ended",
        bench.within(Duration.ofMillis(400)),
        () -> !bench.node().isHeld(name));
    bench.newNode().granted(name, successor, ttl);
    expectNotHeld(bench.node(), name, former, "an extension by a former holder");
    expectHolder(bench, name, successor, ttl);
  }

  @Verifies(LEASE_1)
  void aHolderWhoseLockIsAnothersDoesNotExtendIt(Bench bench) throws InterruptedException {
    String name = bench.name();
    String successor = bench.owner();
    Duration ttl = Duration.ofSeconds(5);
    Wiretap wire = new Wiretap();
    LockClient client = bench.client().lease(RENEWED).tap(wire).open();
    Lease lease = client.lock(name).acquire(WAIT);
    LossLog losses = LossLog.of(lease);
    bench.node().release(name, wire.grants().get(0).owner());
    bench.node().granted(name, successor, ttl);
    losses.expect(LossReason.TAKEN, bench.within(RENEWED));
    Expect.that(!lease.isHeld(), "a lease whose lock is another's must not be held");
    expectHolder(bench, name, successor, ttl);
  }

  @Verifies(LEASE_1)
  void anExtensionThatIsAnsweredAfterTheValidityEndedSavesNothing(Bench bench)
      throws InterruptedException {
    Duration time = Duration.ofMillis(1_200);
    Duration late = Duration.ofMillis(1_000);
    Wiretap wire = new Wiretap();
    LockClient client =
        bench.client().lease(time).tap(new LateReplies(late, Operation.EXTEND)).tap(wire).open();
    Lease lease = client.lock(bench.name()).acquire(WAIT);
    long acquired = System.nanoTime();
    while (System.nanoTime() - acquired < time.toNanos()) {
      Waiting.pause(Duration.ofMillis(5));
    }
    int expected = wire.count(Operation.EXTEND);
    Waiting.until(
        "the late extensions are answered",
        bench.within(late),
        () -> {
          expectEnded(lease);
          return wire.extendReplies().size() >= expected;
        });
    Waiting.pause(Duration.ofMillis(50));
    expectEnded(lease);
  }

  private static void expectEnded(Lease lease) {
    Expect.that(
        !lease.isHeld() && lease.remaining().isZero(),
        "a lease whose validity ended must stay ended, whatever the server answers later");
  }

  @Verifies(LEASE_2)
  void anExtensionOfAnAbsentLockCreatesNothing(Bench bench) throws InterruptedException {
    SyncNode node = bench.node();
    String never = bench.name();
    expectNotHeld(node, never, bench.owner(), "an extension of a lock that never was");
    expectFree(node, never);

    String released = bench.name();
    String owner = bench.owner();
    node.granted(released, owner, LONG);
    node.release(released, owner);
    expectNotHeld(node, released, owner, "an extension of a lock that was released");
    expectFree(node, released);

    String ended = bench.name();
    node.granted(ended, owner, Duration.ofMillis(400));
    Waiting.until(
        "a lock of 100 ms has ended",
        bench.within(Duration.ofMillis(400)),
        () -> !node.isHeld(ended));
    expectNotHeld(node, ended, owner, "an extension of a lock that has ended");
    expectFree(node, ended);
  }

  @Verifies(LEASE_2)
  void aRenewalNeverBringsALockBack(Bench bench) throws InterruptedException {
    String name = bench.name();
    Wiretap wire = new Wiretap();
    LockClient client = bench.client().lease(RENEWED).tap(wire).open();
    Lease lease = client.lock(name).acquire(WAIT);
    bench.node().release(name, wire.grants().get(0).owner());
    Waiting.until(
        "a holder whose lock is gone is told so",
        bench.within(RENEWED),
        () -> {
          expectFree(bench.node(), name);
          return !lease.isHeld();
        });
    Waiting.always(
        "a lock that is gone stays gone",
        Duration.ofMillis(100),
        () -> !bench.node().isHeld(name) && !lease.isHeld());
  }

  private static void expectNotHeld(SyncNode node, String name, String owner, String what)
      throws InterruptedException {
    Expect.type(NotHeld.class, node.extend(name, owner, LONG), "the answer to " + what);
  }

  private static void expectFree(SyncNode node, String name) throws InterruptedException {
    Expect.that(!node.isHeld(name), "an extension has brought a lock into being");
  }

  private static void expectHolder(Bench bench, String name, String owner, Duration ttl)
      throws InterruptedException {
    Holder holder =
        bench
            .node()
            .inspect(name)
            .holder()
            .orElseThrow(() -> Expect.violation("somebody else's extension has ended a lock"));
    Expect.equal(owner, holder.owner(), "the holder of the lock");
    Expect.that(
        holder.remainingMillis() <= ttl.toMillis(),
        "somebody else's extension has prolonged a lock");
  }
}
