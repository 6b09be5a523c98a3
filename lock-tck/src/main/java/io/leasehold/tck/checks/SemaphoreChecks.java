package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.SEM_1;
import static io.leasehold.tck.Requirement.SEM_2;
import static io.leasehold.tck.Requirement.SEM_3;
import static io.leasehold.tck.Requirement.SEM_4;

import io.leasehold.DistributedSemaphore;
import io.leasehold.Lease;
import io.leasehold.LossReason;
import io.leasehold.spi.Busy;
import io.leasehold.spi.Extended;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Granted;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Watching;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Verifies.Needs;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** SEM-1 to SEM-4: semaphores. */
final class SemaphoreChecks {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(600);
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration BOUND = Duration.ofSeconds(2);

  @Verifies(SEM_1)
  void noMoreThanItsNumberHoldPermits(Bench bench) throws InterruptedException {
    String name = bench.name();
    SyncNode permits = bench.node().permits(3);
    List<String> owners = take(bench, permits, name, 3);
    permits.granted(name, owners.get(0), LONG); // repeated: not a permit more
    expectBusy(bench.newNode().permits(3).grant(name, bench.owner(), LONG), "a fourth");
    permits.release(name, owners.get(1));
    String next = bench.owner();
    permits.granted(name, next, LONG);
    expectBusy(permits.grant(name, bench.owner(), LONG), "a fourth, after one was exchanged,");
    Expect.type(
        NotHeld.class,
        permits.release(name, owners.get(1)),
        "the reply to a release of what was released");
    expectBusy(permits.grant(name, bench.owner(), LONG), "a fourth, after a needless release,");
  }

  private static List<String> take(Bench bench, SyncNode permits, String name, int count)
      throws InterruptedException {
    List<String> owners = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String owner = bench.owner();
      permits.granted(name, owner, LONG);
      owners.add(owner);
    }
    return owners;
  }

  private static void expectBusy(GrantReply reply, String who) {
    Expect.type(Busy.class, reply, "the reply to " + who);
  }

  @Verifies(SEM_1)
  void aLockOfTheSameNameIsAnother(Bench bench) throws InterruptedException {
    String name = bench.name();
    bench.node().permits(1).granted(name, bench.owner(), LONG);
    String owner = bench.owner();
    bench.node().granted(name, owner, LONG);
    bench.node().release(name, owner);
    expectBusy(bench.node().permits(1).grant(name, bench.owner(), LONG), "a second");
  }

  @Verifies(value = SEM_1, seconds = 60)
  void manyWhoWantPermitsAtTheSameTimeNeverHoldMoreThanThereAre(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<CompletableFuture<Boolean>> work = new ArrayList<>();
    for (int c = 0; c < 2; c++) {
      DistributedSemaphore semaphore = bench.open().semaphore(name, 2);
      for (int i = 0; i < 3; i++) {
        work.add(bench.fork(() -> useOften(semaphore, inside, most)));
      }
    }
    for (CompletableFuture<Boolean> each : work) {
      Waiting.result("everybody has had its turns", bench.within(PATIENCE), each);
    }
    Expect.equal(2, most.get(), "the most who held one of two permits at the same time");
  }

  private static boolean useOften(
      DistributedSemaphore semaphore, AtomicInteger inside, AtomicInteger most)
      throws InterruptedException {
    for (int i = 0; i < 8; i++) {
      try (Lease lease = Contender.take(semaphore)) {
        int now = inside.incrementAndGet();
        Waiting.pause(Duration.ofMillis(3));
        inside.decrementAndGet();
        if (lease.isHeld()) {
          most.accumulateAndGet(now, Math::max);
        }
      }
    }
    return true;
  }

  @Verifies(SEM_2)
  void aDeadHoldersPermitComesBackAlone(Bench bench) throws InterruptedException {
    String name = bench.name();
    SyncNode permits = bench.node().permits(2);
    String kept = bench.owner();
    String dead = bench.owner();
    SyncNode other = bench.newNode().permits(2);
    permits.granted(name, kept, LONG);
    permits.granted(name, dead, SHORT);
    Expect.type(Extended.class, permits.extend(name, kept, LONG), "the reply to an extension");
    Waiting.until(
        "a dead holder's permit comes back",
        bench.within(SHORT),
        () -> other.grant(name, bench.owner(), LONG) instanceof Granted);
    expectBusy(other.grant(name, bench.owner(), LONG), "a third, when one of two has died,");
    Expect.type(
        NotHeld.class, permits.extend(name, dead, LONG), "the reply to one whose time was over");
    Expect.type(
        Extended.class, permits.extend(name, kept, LONG), "the reply to one that was extended");
  }

  @Verifies(SEM_2)
  void aHolderThatIsNotRenewedIsLostAndTheOthersAreNot(Bench bench) throws InterruptedException {
    String name = bench.name();
    Lease dead =
        bench.client().lease(SHORT).withoutRenewal().open().semaphore(name, 2).acquire(PATIENCE);
    DistributedSemaphore semaphore =
        bench.client().lease(SHORT.multipliedBy(3)).open().semaphore(name, 2);
    Lease renewed = semaphore.acquire(PATIENCE);
    LossLog.of(dead).expect(LossReason.EXPIRED, bench.within(SHORT));
    Lease next =
        semaphore
            .tryAcquire(bench.within(SHORT))
            .orElseThrow(() -> Expect.violation("a dead holder's permit must come back"));
    Waiting.pause(SHORT.multipliedBy(4));
    Expect.that(
        renewed.isHeld() && next.isHeld(), "holders that are renewed must keep their permits");
    Expect.that(semaphore.tryAcquire().isEmpty(), "there must be no third of two permits");
  }

  @Verifies(SEM_3)
  void withASmallerNumberNobodyGetsInUntilThereIsRoomAndNobodyLosesAnything(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    SyncNode three = bench.node().permits(3);
    SyncNode one = bench.newNode().permits(1);
    List<String> owners = take(bench, three, name, 3);
    for (String ended : List.copyOf(owners)) {
      expectBusy(one.grant(name, bench.owner(), LONG), "one for whom there is no room");
      for (String owner : owners) {
        Expect.type(
            Extended.class,
            three.extend(name, owner, LONG),
            "the reply to a holder, after somebody asked with a smaller number,");
      }
      three.release(name, ended);
      owners.remove(ended);
    }
    one.granted(name, bench.owner(), LONG);
  }

  @Verifies(SEM_3)
  void withALargerNumberMoreGetInAtOnce(Bench bench) throws InterruptedException {
    String name = bench.name();
    SyncNode one = bench.node().permits(1);
    SyncNode three = bench.newNode().permits(3);
    List<String> owners = take(bench, one, name, 1);
    expectBusy(one.grant(name, bench.owner(), LONG), "a second of one");
    owners.addAll(take(bench, three, name, 2));
    expectBusy(three.grant(name, bench.owner(), LONG), "a fourth of three");
    for (String owner : owners) {
      Expect.type(
          Extended.class, three.extend(name, owner, LONG), "the reply to a holder's extension");
    }
  }

  @Verifies(value = SEM_4, needs = Needs.WAKE_UPS)
  void aReleaseWakesOneWhoWaits(Bench bench) throws InterruptedException {
    String name = bench.name();
    SyncNode permits = bench.node().permits(1);
    SyncNode waiter = bench.newNode().permits(1);
    List<String> owners = take(bench, permits, name, 1);
    AtomicBoolean woken = new AtomicBoolean();
    Expect.type(Watching.class, waiter.watch(name, () -> woken.set(true)), "the reply to a watch");
    expectBusy(waiter.waiting(name, bench.owner(), LONG), "one who waits");
    permits.release(name, owners.get(0));
    Waiting.until("one who waits for a permit is woken", bench.tolerance(), woken::get);
    waiter.granted(name, bench.owner(), LONG);
  }

  /** Their leases are short, so that waiters without wake-ups ask often enough. */
  @Verifies(value = SEM_4, seconds = 40)
  void everyPermitThatComesBackServesOneWhoWaits(Bench bench) throws InterruptedException {
    String name = bench.name();
    DistributedSemaphore semaphore = bench.client().lease(BOUND).open().semaphore(name, 2);
    List<Lease> held = List.of(semaphore.acquire(PATIENCE), semaphore.acquire(PATIENCE));
    List<CompletableFuture<Lease>> waiters = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      waiters.add(bench.client().lease(BOUND).open().semaphore(name, 2).acquireAsync(PATIENCE));
    }
    waiters.add(semaphore.acquireAsync(PATIENCE));
    Waiting.always(
        "nobody is served while all permits are held",
        Duration.ofMillis(200),
        () -> waiters.stream().noneMatch(CompletableFuture::isDone));
    for (Lease lease : held) {
      lease.release();
    }
    Waiting.until(
        "two of those who wait are served when two permits have come back",
        bench.within(BOUND),
        () -> waiters.stream().filter(CompletableFuture::isDone).count() == 2);
    for (CompletableFuture<Lease> waiter : waiters) {
      Waiting.until(
          "one who waits is served", bench.within(BOUND), () -> releaseServed(waiters, waiter));
    }
  }

  /** Whoever has been served gives its permit back, for those who still wait. */
  private static boolean releaseServed(
      List<CompletableFuture<Lease>> waiters, CompletableFuture<Lease> wanted) {
    for (CompletableFuture<Lease> each : waiters) {
      if (each.isDone()) {
        each.join().close();
      }
    }
    return wanted.isDone();
  }
}
