package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.INSP_1;
import static io.leasehold.tck.Requirement.INSP_2;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockStatus;
import io.leasehold.spi.Capability;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.Listed;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.ShiftedClock;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** INSP-1 and INSP-2: what people see when they look at locks. */
final class InspectionChecks {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(800);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration BOUND = Duration.ofSeconds(2);

  /** Looked at for a quarter of its time: on a busy machine the last look may come late. */
  private static final Duration LOOKED_AT = Duration.ofSeconds(2);

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration SLACK = Duration.ofMillis(20);

  @Verifies(INSP_1)
  void inspectionTellsWhoHoldsALockAndWhoWaits(Bench bench) throws InterruptedException {
    String name = bench.name();
    LockClient client = bench.client().lease(LONG).open();
    LockClient looking = bench.open();
    Expect.equal(
        new LockStatus(name, Optional.empty(), 0),
        looking.inspect(name),
        "the status of a free lock");
    Lease lease = client.lock(name).acquire(PATIENCE);
    SyncNode node = bench.node();
    String owner = owner(node, name).orElse("");
    LockStatus status = looking.inspect(name);
    Expect.equal(name, status.name(), "the name in a status");
    LockStatus.Holder holder = holder(status);
    Duration remaining = holder.remaining().orElse(Duration.ZERO);
    Expect.that(
        remaining.compareTo(LONG) <= 0 && remaining.compareTo(Duration.ZERO) > 0,
        "the remaining time of a lease of 20 s is " + remaining);
    expectTellsClientsApart(bench, client, looking, holder);
    if (bench.has(Capability.FENCING)) {
      Expect.equal(OptionalLong.of(lease.fencingToken()), holder.token(), "the token in a status");
    }
    expectWaiters(bench, looking, name);
    lease.release();
    // The late grant of the cancelled waiter may hold the lock now, and be gone a moment later.
    Expect.that(
        owner(node, name).filter(owner::equals).isEmpty(),
        "a client that released the lock is still reported as its holder");
  }

  private static Optional<String> owner(SyncNode node, String name) throws InterruptedException {
    return node.inspect(name).holder().map(Inspection.Holder::owner);
  }

  @Verifies(INSP_1)
  void inspectionUsesTheClockOfTheServer(Bench bench) throws InterruptedException {
    SyncNode right = bench.node();
    for (Duration shift : List.of(HOUR, HOUR.negated())) {
      SyncNode wrong = bench.newNode(bench.client().clock(new ShiftedClock(shift)));
      String held = bench.name();
      String owner = bench.owner();
      right.granted(held, owner, LONG);
      Inspection.Holder holder =
          wrong
              .inspect(held)
              .holder()
              .orElseThrow(
                  () ->
                      Expect.violation(
                          "a client whose clock is wrong by "
                              + shift
                              + " sees no holder of a lock that is held"));
      Expect.that(
          holder.remainingMillis() > 0 && holder.remainingMillis() <= LONG.toMillis() + 1,
          "a client whose clock is wrong by "
              + shift
              + " sees a remaining time of "
              + holder.remainingMillis()
              + " ms for a lease of "
              + LONG.toMillis()
              + " ms");
      right.release(held, owner);
      String ended = bench.name();
      right.granted(ended, bench.owner(), Duration.ofMillis(100));
      Waiting.until("a brief lock ends", bench.within(SHORT), () -> !right.isHeld(ended));
      Expect.that(
          !wrong.isHeld(ended),
          "a client whose clock is wrong by " + shift + " sees a holder of a lock that has ended");
    }
  }

  /** As far as the node knows who its clients are. */
  private static void expectTellsClientsApart(
      Bench bench, LockClient client, LockClient other, LockStatus.Holder holder)
      throws InterruptedException {
    String same = bench.name();
    String strange = bench.name();
    client.lock(same).acquire(PATIENCE);
    other.lock(strange).acquire(PATIENCE);
    Expect.equal(
        holder.clientId(), holder(other.inspect(same)).clientId(), "the id of the same client");
    if (holder.clientId().isPresent()) {
      Expect.that(
          !holder.clientId().equals(holder(other.inspect(strange)).clientId()),
          "the ids of two clients must differ");
    }
    if (holder.process().isPresent()) {
      Expect.equal(
          ProcessHandle.current().pid(), holder.process().getAsLong(), "the holder's process");
    }
  }

  private static LockStatus.Holder holder(LockStatus status) {
    return status
        .holder()
        .orElseThrow(() -> Expect.violation("a lock that is held must be told to be held"));
  }

  private static void expectWaiters(Bench bench, LockClient looking, String name)
      throws InterruptedException {
    if (!bench.has(Capability.WAKE_UPS)) {
      return;
    }
    CompletableFuture<Lease> waiter = bench.open().lock(name).acquireAsync(LONG);
    Waiting.until(
        "a client that waits is told of",
        bench.within(BOUND),
        () -> looking.inspect(name).waiters() == 1);
    waiter.cancel(true);
  }

  @Verifies(INSP_1)
  void lookingChangesNothing(Bench bench) throws InterruptedException {
    SyncNode node = bench.node();
    String free = bench.name();
    String name = bench.name();
    String owner = bench.owner();
    node.granted(name, owner, LOOKED_AT);
    long granted = System.nanoTime();
    long fence = node.inspect(name).fence();
    while (System.nanoTime() - granted < LOOKED_AT.dividedBy(4).toNanos()) {
      long atMost = LOOKED_AT.minusNanos(System.nanoTime() - granted).plus(SLACK).toMillis();
      Inspection seen = node.inspect(name);
      Expect.equal(fence, seen.fence(), "the fence after inspections");
      Inspection.Holder holder =
          seen.holder().orElseThrow(() -> Expect.violation("inspections have ended a lock"));
      Expect.equal(owner, holder.owner(), "the holder after inspections");
      Expect.that(
          holder.remainingMillis() <= atMost, "inspections have prolonged what remains of a lock");
      Expect.that(node.inspect(free).holder().isEmpty(), "inspections have made a lock");
      Waiting.pause(Duration.ofMillis(10));
    }
    Waiting.until(
        "a lock that is looked at ends in time", bench.within(LOOKED_AT), () -> !node.isHeld(name));
    node.granted(free, bench.owner(), LOOKED_AT);
  }

  @Verifies(INSP_2)
  void listingFindsWhatIsHeldAndNothingElse(Bench bench) throws InterruptedException {
    SyncNode node = bench.node();
    String base = bench.name();
    String owner = bench.owner();
    for (String held : List.of("-a1", "-b2", "-*")) {
      node.granted(base + held, owner, LONG);
    }
    node.granted(base + "-released", owner, LONG);
    node.release(base + "-released", owner);
    node.granted(base + "-ended", owner, Duration.ofMillis(100));
    node.inspect(base + "-seen");
    further(bench, base + "-other");
    Waiting.until("a brief lock ends", bench.within(SHORT), () -> !node.isHeld(base + "-ended"));
    expectListed(bench, base + "-*", base + "-a1", base + "-b2", base + "-*");
    expectListed(bench, base + "-[a-b]?", base + "-a1", base + "-b2");
    expectListed(bench, base + "-?1", base + "-a1");
    expectListed(bench, base + "-\\*", base + "-*");
    expectListed(bench, base + "-b2", base + "-b2");
    expectListed(bench, base);
    Listed some = node.list(base + "-*", 2);
    Expect.equal(2, some.names().size(), "the number of names when two are asked for");
    Expect.that(!some.complete(), "a list that was cut off must not be told as complete");
  }

  /** Locks of other kinds, which are not plain locks. */
  private static void further(Bench bench, String name) throws InterruptedException {
    if (bench.has(Capability.READ_WRITE)) {
      bench.node().writers().granted(name, bench.owner(), LONG);
    }
    if (bench.has(Capability.SEMAPHORES)) {
      bench.node().permits(1).granted(name, bench.owner(), LONG);
    }
  }

  private static void expectListed(Bench bench, String pattern, String... expected)
      throws InterruptedException {
    Listed listed = settled(bench, pattern, Set.of(expected));
    Expect.equal(
        Set.of(expected), new HashSet<>(listed.names()), "the locks that " + pattern + " finds");
    Expect.equal(expected.length, listed.names().size(), "the number of names, each of them once,");
    Expect.that(listed.complete(), "a list that is complete must be told as such");
  }

  /** A quorum also lists what ended just now and a minority still has: it may, for a moment. */
  private static Listed settled(Bench bench, String pattern, Set<String> expected)
      throws InterruptedException {
    long end = System.nanoTime() + bench.within(BOUND).toNanos();
    Listed listed = bench.node().list(pattern, 100);
    while (!expected.equals(new HashSet<>(listed.names())) && System.nanoTime() - end < 0) {
      Waiting.pause(Duration.ofMillis(20));
      listed = bench.node().list(pattern, 100);
    }
    return listed;
  }

  @Verifies(INSP_2)
  void aClientListsItsLocksWithTheirHolders(Bench bench) throws InterruptedException {
    String prefix = bench.name() + "[";
    String a = bench.name();
    String b = bench.name();
    LockClient client = bench.client().option("prefix", prefix).open();
    client.lock(a).acquire(PATIENCE);
    client.lock(b).acquire(PATIENCE);
    bench.open().lock(bench.name()).acquire(PATIENCE); // not under the prefix
    List<LockStatus> listed = client.list("*", 100);
    Expect.equal(
        Set.of(a, b),
        listed.stream().map(LockStatus::name).collect(Collectors.toSet()),
        "the locks that a client with a prefix lists");
    listed.forEach(InspectionChecks::holder);
    Expect.equal(
        List.of(a), client.list(a, 100).stream().map(LockStatus::name).toList(), "one lock");
  }
}
