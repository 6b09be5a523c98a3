package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.SAFE_5;
import static io.leasehold.tck.Requirement.SAFE_6;

import io.leasehold.spi.Capability;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Refused;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** SAFE-5 and SAFE-6: what single requests do, and for whom. */
final class SafeOwnershipChecks {
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration LONG = Duration.ofSeconds(50);

  @Verifies(SAFE_5)
  void nobodyEverSeesALockWithoutItsExpiry(Bench bench) throws InterruptedException {
    String name = bench.name();
    SyncNode writer = bench.newNode();
    SyncNode reader = bench.newNode();
    AtomicInteger seen = new AtomicInteger();
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Boolean> reading = bench.fork(() -> read(reader, name, seen, over));
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    for (int i = 0; i < 40 || (seen.get() < 100 && System.nanoTime() - end < 0); i++) {
      String owner = bench.owner();
      writer.granted(name, owner, TTL);
      Thread.sleep(1);
      writer.release(name, owner);
      if (reading.isDone()) {
        break; // it has found something
      }
    }
    over.set(true);
    Waiting.result("the reader ended", Duration.ofSeconds(5), reading);
    Expect.that(seen.get() > 0, "a reader must have seen some of the holders, and saw none");
  }

  private static boolean read(SyncNode reader, String name, AtomicInteger seen, AtomicBoolean over)
      throws InterruptedException {
    while (!over.get()) {
      Inspection inspection = reader.inspect(name);
      if (inspection.holder().isPresent()) {
        seen.incrementAndGet();
        Expect.that(
            inspection.holder().get().remainingMillis() != Inspection.Holder.NO_EXPIRY,
            "a lock was seen without an expiry while it was being granted");
      }
    }
    return true;
  }

  @Verifies(SAFE_6)
  void aStrangerCanNeitherReleaseNorExtend(Bench bench) throws InterruptedException {
    SyncNode node = bench.node();
    String name = bench.name();
    String owner = bench.owner();
    node.granted(name, owner, TTL);
    Expect.type(
        NotHeld.class, node.release(name, bench.owner()), "the reply to a stranger's release");
    expectUntouched(node, name, owner);
    Expect.type(
        NotHeld.class, node.extend(name, bench.owner(), LONG), "the reply to a stranger's extend");
    expectUntouched(node, name, owner);
  }

  @Verifies(SAFE_6)
  void aStrangerCanNeitherRaiseNorTransfer(Bench bench) throws InterruptedException {
    SyncNode node = bench.node();
    String name = bench.name();
    String owner = bench.owner();
    node.granted(name, owner, TTL);
    long fence = node.inspect(name).fence();
    if (node.has(Capability.FENCING)) {
      Expect.type(
          Refused.class,
          node.raise(name, bench.owner(), fence + 1_000),
          "the reply to a stranger's raise");
      Expect.equal(fence, node.inspect(name).fence(), "the fence after a stranger's raise");
    }
    if (node.has(Capability.TRANSFER)) {
      Expect.type(
          NotHeld.class,
          node.transfer(name, bench.owner(), bench.owner(), LONG),
          "the reply to a stranger's transfer");
    }
    expectUntouched(node, name, owner);
  }

  @Verifies(SAFE_6)
  void onAFreeLockNobodyIsTheOwner(Bench bench) throws InterruptedException {
    SyncNode node = bench.node();
    String name = bench.name();
    String owner = bench.owner();
    Expect.type(NotHeld.class, node.release(name, owner), "the reply to releasing a free lock");
    Expect.type(NotHeld.class, node.extend(name, owner, TTL), "the reply to extending a free lock");
    if (node.has(Capability.TRANSFER)) {
      Expect.type(
          NotHeld.class,
          node.transfer(name, owner, bench.owner(), TTL),
          "the reply to transferring a free lock");
    }
    Expect.that(!node.isHeld(name), "a free lock must stay free whatever is asked but a grant");
  }

  private static void expectUntouched(SyncNode node, String name, String owner)
      throws InterruptedException {
    Inspection.Holder holder =
        node.inspect(name)
            .holder()
            .orElseThrow(() -> Expect.violation("a stranger's request has ended the lock"));
    Expect.equal(owner, holder.owner(), "the owner after a stranger's request");
    Expect.that(
        holder.remainingMillis() <= TTL.toMillis() + 1,
        "a stranger's request has prolonged the lock to " + holder.remainingMillis() + " ms");
  }
}
