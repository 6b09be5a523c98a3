package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.MULTI_3;
import static io.leasehold.tck.Requirement.MULTI_4;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LossReason;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Released;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Verifies.Needs;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;
import java.util.List;

/** MULTI-3 and MULTI-4: a set of locks has one lease, with one token. */
final class MultiLossChecks {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(900);
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration BOUND = Duration.ofSeconds(2);

  @Verifies(MULTI_3)
  void aSetOfWhichAPartIsGoneIsNotHeldAndTheRestIsReleased(Bench bench)
      throws InterruptedException {
    List<String> names = List.of(bench.name(), bench.name(), bench.name());
    SyncNode all = bench.node().all(names);
    for (String gone : names) {
      String owner = bench.owner();
      all.granted("", owner, LONG);
      bench.node().release(gone, owner);
      Expect.type(
          NotHeld.class,
          all.extend("", owner, LONG),
          "the reply to an extension of a set of which a part is gone");
      Expect.type(
          NotHeld.class,
          all.release("", owner),
          "the reply to the release of a set of which a part is gone");
      Waiting.until(
          "the rest of a set is released", bench.within(BOUND), () -> isFree(bench, names));
    }
  }

  private static boolean isFree(Bench bench, List<String> names) throws InterruptedException {
    for (String name : names) {
      if (bench.node().isHeld(name)) {
        return false;
      }
    }
    return true;
  }

  @Verifies(MULTI_3)
  void aLeaseOfWhichAPartWasTakenIsLostAndTheRestIsReleased(Bench bench)
      throws InterruptedException {
    List<String> names = List.of(bench.name(), bench.name(), bench.name());
    Wiretap wire = new Wiretap();
    LockClient client = bench.client().lease(SHORT).tap(wire).open();
    Lease lease = client.all(names.toArray(String[]::new)).acquire(PATIENCE);
    LossLog losses = LossLog.of(lease);
    String taken = names.get(1);
    bench.node().release(taken, wire.grants().get(0).owner());
    String successor = bench.owner();
    bench.node().granted(taken, successor, LONG);
    Waiting.until(
        "a lease of which a part was taken is lost",
        bench.within(SHORT),
        () -> losses.count() > 0 && !lease.isHeld());
    List<String> rest = List.of(names.get(0), names.get(2));
    Waiting.until("the rest of it is released", bench.within(SHORT), () -> isFree(bench, rest));
    lease.close();
    Waiting.pause(Duration.ofMillis(100));
    Expect.equal(1, losses.count(), "the number of times that a loss is told");
    Expect.equal(
        successor,
        bench.node().inspect(taken).holder().map(h -> h.owner()).orElse("nobody"),
        "the holder of the part that was taken");
  }

  @Verifies(value = MULTI_3, needs = Needs.FORCED_RELEASE)
  void aLeaseOfWhichAPartWasForcedIsToldSo(Bench bench) throws InterruptedException {
    List<String> names = List.of(bench.name(), bench.name());
    Lease lease =
        bench.client().lease(SHORT).open().all(names.toArray(String[]::new)).acquire(PATIENCE);
    LossLog losses = LossLog.of(lease);
    Expect.type(Released.class, bench.node().force(names.get(1)), "the reply to a forced release");
    losses.expect(LossReason.FORCED, bench.within(SHORT));
    Waiting.until("the rest is released", bench.within(SHORT), () -> isFree(bench, names));
  }

  @Verifies(MULTI_4)
  void aSetsTokenLiesBetweenTheEarlierAndTheLaterOnesOfEachLock(Bench bench)
      throws InterruptedException {
    List<String> names = List.of(bench.name(), bench.name(), bench.name());
    SyncNode node = bench.node();
    long now = System.currentTimeMillis() * 1_000;
    long highest = 0;
    for (int i = 0; i < names.size(); i++) {
      String owner = bench.owner();
      // The one in the middle is far ahead of the others.
      long proposal = now + (i == 1 ? 3_000_000 : 0);
      highest =
          Math.max(
              highest, node.granted(SyncNode.request(names.get(i), owner, LONG, proposal)).token());
      node.release(names.get(i), owner);
    }
    String owner = bench.owner();
    SyncNode all = bench.newNode().all(names);
    long token = all.granted(SyncNode.request("", owner, LONG, now)).token();
    Expect.that(token > highest, "a set's token must exceed " + highest + ", and is " + token);
    all.release("", owner);
    for (String name : names) {
      String next = bench.owner();
      long later = node.granted(SyncNode.request(name, next, LONG, now)).token();
      Expect.that(
          later > token, "a token after a set's must exceed " + token + ", and is " + later);
      node.release(name, next);
    }
  }

  @Verifies(MULTI_4)
  void tokensGrowFromSetToSetAndFromLockToSet(Bench bench) throws InterruptedException {
    LockClient client = bench.open();
    LockClient other = bench.open();
    String a = bench.name();
    String b = bench.name();
    String c = bench.name();
    long last = 0;
    for (int i = 0; i < 3; i++) {
      last = expectMore(client.all(b, a).acquire(PATIENCE), last);
      last = expectMore(other.all(b, c).acquire(PATIENCE), last);
      last = expectMore(other.lock(b).acquire(PATIENCE), last);
    }
  }

  private static long expectMore(Lease lease, long last) {
    long token = lease.fencingToken();
    lease.close();
    Expect.that(token > last, "the token " + token + " was given out after " + last);
    return token;
  }
}
