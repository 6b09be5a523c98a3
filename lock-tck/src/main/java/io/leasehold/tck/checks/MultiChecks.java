package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.MULTI_1;
import static io.leasehold.tck.Requirement.MULTI_2;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockTimeoutException;
import io.leasehold.LockUnavailableException;
import io.leasehold.spi.Busy;
import io.leasehold.spi.Released;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.HeldReplies;
import io.leasehold.tck.wire.LateReplies;
import io.leasehold.tck.wire.LostReplies;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Tap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** MULTI-1 and MULTI-2: several locks at once, all or none, and no deadlock. */
final class MultiChecks {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration PATIENCE = Duration.ofSeconds(8);
  private static final Duration BOUND = Duration.ofSeconds(2);
  private static final Duration MOMENT = Duration.ofMillis(200);

  private static List<String> names(Bench bench, int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(bench.name());
    }
    return names;
  }

  private static int held(Bench bench, List<String> names) throws InterruptedException {
    int held = 0;
    for (String name : names) {
      held += bench.node().isHeld(name) ? 1 : 0;
    }
    return held;
  }

  @Verifies(MULTI_1)
  void aSetExcludesAndIsExcludedByItsSingleLocks(Bench bench) throws InterruptedException {
    List<String> names = names(bench, 3);
    SyncNode all = bench.node().all(names);
    SyncNode single = bench.newNode();
    for (String busy : names) {
      String holder = bench.owner();
      single.granted(busy, holder, LONG);
      Expect.type(
          Busy.class,
          all.grant("", bench.owner(), LONG),
          "the reply to a set of which one lock is busy");
      Expect.equal(1, held(bench, names), "the number of locks that are held after that");
      single.release(busy, holder);
    }
    String owner = bench.owner();
    all.granted("", owner, LONG);
    for (String name : names) {
      Expect.type(
          Busy.class,
          single.grant(name, bench.owner(), LONG),
          "the reply to one who wants a lock of a set that is held");
      Expect.equal(
          owner,
          bench.node().inspect(name).holder().map(h -> h.owner()).orElse("nobody"),
          "the holder of a lock of a set");
    }
    Expect.type(Released.class, all.release("", owner), "the reply to the release of a set");
    Waiting.until(
        "a set that was released is free", bench.within(BOUND), () -> isFree(bench, names));
  }

  private static boolean isFree(Bench bench, List<String> names) throws InterruptedException {
    return held(bench, names) == 0;
  }

  @Verifies(MULTI_1)
  void aSetIsHeldAsAWholeAndReleasedAsAWhole(Bench bench) throws InterruptedException {
    List<String> names = names(bench, 3);
    LockClient client = bench.open();
    DistributedLock set = client.all(names.get(2), names.get(0), names.get(1), names.get(0));
    Lease lease = set.acquire(PATIENCE);
    Expect.equal(3, held(bench, names), "the number of locks that are held");
    Expect.that(
        client.lock(names.get(1)).tryAcquire().isEmpty(),
        "a lock of a set must be busy for others of the same client");
    Expect.that(
        bench.open().all(names.get(1), bench.name()).tryAcquire().isEmpty(),
        "a set that shares a lock with one that is held must be busy");
    lease.release();
    Waiting.until(
        "a set that was released is free", bench.within(BOUND), () -> isFree(bench, names));
    Lease single = client.lock(names.get(1)).acquire(bench.within(BOUND));
    Expect.that(set.tryAcquire().isEmpty(), "a set with a lock that is held must be busy");
    Waiting.until(
        "a set that was refused leaves nothing",
        bench.within(BOUND),
        () -> held(bench, names) == 1);
    single.release();
  }

  @Verifies(MULTI_1)
  void aSetWhoseReplyWasLostLeavesNothing(Bench bench) throws InterruptedException {
    expectNothingLeft(bench, new LostReplies(Operation.GRANT), "whose reply was lost");
  }

  @Verifies(MULTI_1)
  void aSetWhoseReplyCameTooLateLeavesNothing(Bench bench) throws InterruptedException {
    expectNothingLeft(
        bench, new LateReplies(Duration.ofMillis(1_200), Operation.GRANT), "that came too late");
  }

  private static void expectNothingLeft(Bench bench, Tap tap, String what)
      throws InterruptedException {
    List<String> names = names(bench, 3);
    try {
      bench.client().tap(tap).open().all(names.toArray(String[]::new)).tryAcquire();
    } catch (LockUnavailableException e) {
      // It failed. Whether it must is another check's business.
    }
    expectFreeAndStaysSo(bench, names, "a set " + what);
  }

  private static void expectFreeAndStaysSo(Bench bench, List<String> names, String what)
      throws InterruptedException {
    Waiting.until(what + " leaves nothing", bench.within(BOUND), () -> isFree(bench, names));
    Waiting.always("nor later", MOMENT, () -> isFree(bench, names));
  }

  @Verifies(MULTI_1)
  void whoGivesUpOnASetLeavesNothing(Bench bench) throws InterruptedException {
    List<String> names = names(bench, 3);
    String holder = bench.owner();
    bench.node().granted(names.get(1), holder, LONG);
    LockClient client = bench.open();
    DistributedLock set = client.all(names.toArray(String[]::new));
    Expect.thrown(
        LockTimeoutException.class, () -> set.acquire(MOMENT), "acquire of a set with a busy lock");
    Interruptee interrupted =
        Interruptee.calling(bench, "acquire of a set", () -> set.acquire(LONG));
    CompletableFuture<Lease> cancelled = set.acquireAsync(LONG);
    Waiting.pause(MOMENT);
    interrupted.interrupt().expectInterrupted(bench.within(BOUND));
    cancelled.cancel(true);
    bench.node().release(names.get(1), holder);
    expectFreeAndStaysSo(bench, names, "a set that somebody gave up");
  }

  @Verifies(MULTI_1)
  void whoIsInterruptedWhileASetIsGrantedHoldsNothing(Bench bench) throws InterruptedException {
    List<String> names = names(bench, 2);
    Duration command = Duration.ofSeconds(4);
    HeldReplies held = new HeldReplies(Operation.GRANT);
    DistributedLock set =
        bench
            .client()
            .lease(LONG)
            .commandTimeout(command)
            .tap(held)
            .open()
            .all(names.toArray(String[]::new));
    Interruptee caller = Interruptee.calling(bench, "acquire of a set", () -> set.acquire(LONG));
    Waiting.until("the set is granted", bench.within(BOUND), () -> held(bench, names) == 2);
    caller.interrupt().expectInterrupted(bench.within(command));
    Waiting.until(
        "what was granted to an interrupted call is released",
        bench.within(command),
        () -> isFree(bench, names));
    held.letGo();
    expectFreeAndStaysSo(bench, names, "a set of an interrupted call");
  }

  /** The dining philosophers, in short. */
  @Verifies(value = MULTI_2, seconds = 60)
  void everybodyWhoNeedsTwoOfFiveEats(Bench bench) throws InterruptedException {
    List<String> forks = names(bench, 5);
    AtomicIntegerArray users = new AtomicIntegerArray(5);
    AtomicInteger shared = new AtomicInteger();
    List<LockClient> clients = List.of(bench.open(), bench.open(), bench.open());
    List<CompletableFuture<Boolean>> meals = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int left = i;
      int right = (i + 1) % 5;
      // All reach to the left first: asked for one by one, each would hold one and want another's.
      DistributedLock both = clients.get(i % 3).all(forks.get(left), forks.get(right));
      meals.add(
          bench.fork(
              () -> {
                for (int meal = 0; meal < 6; meal++) {
                  eat(both, users, left, right, shared);
                }
                return true;
              }));
    }
    for (CompletableFuture<Boolean> meal : meals) {
      try {
        Waiting.result("everybody has eaten", bench.within(PATIENCE), meal);
      } catch (LockTimeoutException e) {
        throw Expect.violation("somebody was not served: " + e.getMessage());
      }
    }
    Expect.equal(0, shared.get(), "how often two had the same lock");
  }

  private static void eat(
      DistributedLock both, AtomicIntegerArray users, int left, int right, AtomicInteger shared)
      throws InterruptedException {
    try (Lease lease = both.acquire(PATIENCE)) {
      int most = Math.max(users.incrementAndGet(left), users.incrementAndGet(right));
      Waiting.pause(Duration.ofMillis(5));
      users.decrementAndGet(left);
      users.decrementAndGet(right);
      if (most > 1 && lease.isHeld()) {
        shared.incrementAndGet();
      }
    }
  }

  /**
   * Both wait; then one lock after the other becomes free. Who keeps the first one while it waits
   * for the second meets somebody who does so the other way round.
   */
  @Verifies(value = MULTI_2, seconds = 40)
  void setsInOppositeOrderDoNotWaitForEachOther(Bench bench) throws InterruptedException {
    List<String> names = names(bench, 2);
    String holder = bench.owner();
    for (String name : names) {
      bench.node().granted(name, holder, LONG);
    }
    List<CompletableFuture<Lease>> both =
        List.of(
            bench.open().all(names.get(0), names.get(1)).acquireAsync(PATIENCE),
            bench.open().all(names.get(1), names.get(0)).acquireAsync(PATIENCE));
    Waiting.pause(MOMENT);
    bench.node().release(names.get(1), holder);
    Waiting.pause(MOMENT);
    bench.node().release(names.get(0), holder);
    for (CompletableFuture<Lease> each : both) {
      Waiting.until(
          "sets in opposite order are served",
          bench.within(BOUND),
          () -> releaseServed(both, each));
    }
  }

  private static boolean releaseServed(
      List<CompletableFuture<Lease>> all, CompletableFuture<Lease> wanted) {
    for (CompletableFuture<Lease> each : all) {
      if (each.isDone()) {
        each.join().close();
      }
    }
    return wanted.isDone();
  }
}
