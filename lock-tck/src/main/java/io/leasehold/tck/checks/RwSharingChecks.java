package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.RW_1;
import static io.leasehold.tck.Requirement.RW_2;

import io.leasehold.DistributedReadWriteLock;
import io.leasehold.Lease;
import io.leasehold.LossReason;
import io.leasehold.spi.Busy;
import io.leasehold.spi.Extended;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Granted;
import io.leasehold.spi.NotHeld;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** RW-1 and RW-2: who may hold a read-write lock together, and how each of them ends. */
final class RwSharingChecks {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(600);
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  @Verifies(RW_1)
  void readersShareAndAWriterExcludes(Bench bench) throws InterruptedException {
    String name = bench.name();
    SyncNode readers = bench.node().readers();
    SyncNode writers = bench.newNode().writers();
    String one = bench.owner();
    String two = bench.owner();
    readers.granted(name, one, LONG);
    bench.newNode().readers().granted(name, two, LONG);
    expectBusy(writers.grant(name, bench.owner(), LONG), "a writer while two read");
    readers.release(name, one);
    expectBusy(writers.grant(name, bench.owner(), LONG), "a writer while one still reads");
    readers.release(name, two);
    String writer = bench.owner();
    writers.granted(name, writer, LONG);
    expectBusy(readers.grant(name, bench.owner(), LONG), "a reader while one writes");
    expectBusy(
        bench.node().writers().grant(name, bench.owner(), LONG), "a writer while one writes");
    writers.release(name, writer);
    readers.granted(name, bench.owner(), LONG);
  }

  private static void expectBusy(GrantReply reply, String who) {
    Expect.type(Busy.class, reply, "the reply to " + who);
  }

  @Verifies(RW_1)
  void aPlainLockOfTheSameNameIsAnother(Bench bench) throws InterruptedException {
    String name = bench.name();
    bench.node().writers().granted(name, bench.owner(), LONG);
    String owner = bench.owner();
    bench.node().granted(name, owner, LONG);
    bench.node().release(name, owner);
    expectBusy(
        bench.newNode().writers().grant(name, bench.owner(), LONG),
        "a writer after the plain lock of that name was released");
  }

  /** Who holds what, and whether it ever was too much. */
  private static final class Room {
    private final AtomicInteger readers = new AtomicInteger();
    private final AtomicInteger writers = new AtomicInteger();

    boolean read(Lease lease) throws InterruptedException {
      readers.incrementAndGet();
      boolean good = writers.get() == 0;
      Waiting.pause(Duration.ofMillis(2));
      good &= writers.get() == 0;
      readers.decrementAndGet();
      return good || !lease.isHeld();
    }

    boolean write(Lease lease) throws InterruptedException {
      boolean good = writers.incrementAndGet() == 1 && readers.get() == 0;
      Waiting.pause(Duration.ofMillis(2));
      good &= writers.get() == 1 && readers.get() == 0;
      writers.decrementAndGet();
      return good || !lease.isHeld();
    }
  }

  @Verifies(value = RW_1, seconds = 60)
  void manyWhoReadAndWriteAtTheSameTimeExcludeEachOtherAsTheyMust(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    Room room = new Room();
    AtomicBoolean over = new AtomicBoolean();
    List<CompletableFuture<Boolean>> readers = new ArrayList<>();
    List<CompletableFuture<Boolean>> writers = new ArrayList<>();
    for (int c = 0; c < 2; c++) {
      DistributedReadWriteLock lock = bench.open().readWriteLock(name);
      readers.add(bench.fork(() -> readOften(lock, room, over)));
      writers.add(bench.fork(() -> writeOften(lock, room)));
    }
    for (CompletableFuture<Boolean> each : writers) {
      expectGood(Waiting.result("everybody has written", bench.within(PATIENCE), each));
    }
    over.set(true);
    for (CompletableFuture<Boolean> each : readers) {
      expectGood(Waiting.result("everybody has read", bench.within(PATIENCE), each));
    }
  }

  private static void expectGood(boolean good) {
    Expect.that(good, "a writer must hold the lock alone, and did not");
  }

  /** With pauses, in which a writer finds the lock free although it does not wait for it. */
  private static boolean readOften(DistributedReadWriteLock lock, Room room, AtomicBoolean over)
      throws InterruptedException {
    boolean good = true;
    while (!over.get()) {
      try (Lease lease = Contender.take(lock.readLock())) {
        good &= room.read(lease);
      }
      Waiting.pause(Duration.ofMillis(3));
    }
    return good;
  }

  private static boolean writeOften(DistributedReadWriteLock lock, Room room)
      throws InterruptedException {
    boolean good = true;
    for (int i = 0; i < 15; i++) {
      try (Lease lease = Contender.take(lock.writeLock())) {
        good &= room.write(lease);
      }
    }
    return good;
  }

  @Verifies(RW_2)
  void anExtensionKeepsOneReaderAlone(Bench bench) throws InterruptedException {
    String name = bench.name();
    SyncNode readers = bench.node().readers();
    SyncNode writers = bench.node().writers();
    String kept = bench.owner();
    String dead = bench.owner();
    SyncNode other = bench.newNode().readers();
    readers.granted(name, kept, LONG);
    other.granted(name, dead, SHORT);
    Expect.type(Extended.class, readers.extend(name, kept, LONG), "the reply to an extension");
    Waiting.pause(SHORT.plusMillis(100));
    Expect.type(
        NotHeld.class,
        readers.extend(name, dead, LONG),
        "the reply to a reader whose time was over, and which another's extension must not keep,");
    Expect.type(
        Extended.class,
        readers.extend(name, kept, LONG),
        "the reply to a reader that was extended, when another has ended,");
    expectBusy(writers.grant(name, bench.owner(), LONG), "a writer while one still reads");
    readers.release(name, kept);
    writers.granted(name, bench.owner(), LONG);
  }

  @Verifies(RW_2)
  void aWriterComesWhenTheLastReaderHasEnded(Bench bench) throws InterruptedException {
    String name = bench.name();
    SyncNode readers = bench.node().readers();
    SyncNode writers = bench.node().writers();
    readers.granted(name, bench.owner(), SHORT);
    long lastSent = System.nanoTime();
    readers.granted(name, bench.owner(), SHORT.multipliedBy(2));
    Waiting.until(
        "a writer comes when all readers have ended",
        bench.within(SHORT.multipliedBy(2)),
        () -> writers.grant(name, bench.owner(), LONG) instanceof Granted);
    Expect.that(
        System.nanoTime() - lastSent >= SHORT.multipliedBy(2).minusMillis(5).toNanos(),
        "a writer came before the last reader had ended");
  }

  @Verifies(RW_2)
  void aReaderThatIsNotRenewedIsLostAndTheOthersAreNot(Bench bench) throws InterruptedException {
    String name = bench.name();
    Lease dead =
        bench
            .client()
            .lease(SHORT)
            .withoutRenewal()
            .open()
            .readWriteLock(name)
            .readLock()
            .acquire(PATIENCE);
    DistributedReadWriteLock lock =
        bench.client().lease(SHORT.multipliedBy(3)).open().readWriteLock(name);
    Lease renewed = lock.readLock().acquire(PATIENCE);
    LossLog losses = LossLog.of(renewed);
    LossLog.of(dead).expect(LossReason.EXPIRED, bench.within(SHORT));
    Waiting.pause(SHORT.multipliedBy(4));
    Expect.equal(0, losses.count(), "the number of losses told to a reader that is renewed");
    Expect.that(renewed.isHeld(), "a reader that is renewed must outlive one that is not");
    Expect.that(
        lock.writeLock().tryAcquire().isEmpty(), "a writer must be kept out while one reads");
    renewed.release();
    lock.writeLock().acquire(bench.within(SHORT)).release();
  }
}
