package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.RW_3;

import io.leasehold.DistributedLock;
import io.leasehold.DistributedReadWriteLock;
import io.leasehold.Lease;
import io.leasehold.LockException;
import io.leasehold.LockTimeoutException;
import io.leasehold.spi.Busy;
import io.leasehold.spi.Granted;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.Watching;
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

/** RW-3: neither side of a read-write lock starves. */
final class RwTurnChecks {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration MARK = Duration.ofMillis(ReadWriteLocks.WRITER_WAITS_MILLIS);

  /** Long enough for a client that missed its wake-up: it asks again before its mark ends. */
  private static final Duration BOUND = MARK;

  @Verifies(RW_3)
  void aWriterThatWaitsKeepsNewReadersOut(Bench bench) throws InterruptedException {
    String name = bench.name();
    SyncNode readers = bench.node().readers();
    SyncNode writers = bench.newNode().writers();
    String reader = bench.owner();
    readers.granted(name, reader, LONG);
    Busy busy = waiting(writers, name, bench.owner());
    Expect.that(
        busy.remainingMillis() <= MARK.toMillis(),
        "a writer that waits must be told to ask again before its mark ends, and was told "
            + busy.remainingMillis()
            + " ms");
    Expect.type(
        Busy.class,
        bench.newNode().readers().grant(name, bench.owner(), LONG),
        "the reply to a reader who comes while a writer waits");
    readers.release(name, reader);
    writers.granted(name, bench.owner(), LONG);
  }

  private static Busy waiting(SyncNode side, String name, String owner)
      throws InterruptedException {
    Expect.type(Watching.class, side.watch(name, () -> {}), "the reply to a watch");
    return Expect.type(
        Busy.class, side.waiting(name, owner, LONG), "the reply to one who must wait");
  }

  @Verifies(RW_3)
  void aWriterThatDiedWhileItWaitedDelaysReadersByNoMoreThanItsMark(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    SyncNode readers = bench.node().readers();
    readers.granted(name, bench.owner(), LONG);
    waiting(bench.newNode().writers(), name, bench.owner());
    Waiting.until(
        "a reader comes although a writer died while it waited",
        bench.within(MARK),
        () -> readers.grant(name, bench.owner(), LONG) instanceof Granted);
  }

  @Verifies(value = RW_3, seconds = 60)
  void aWriterIsServedAmongReadersWithoutEnd(Bench bench) throws InterruptedException {
    expectServed(
        bench,
        DistributedReadWriteLock::readLock,
        DistributedReadWriteLock::writeLock,
        "a writer among readers without end");
  }

  @Verifies(value = RW_3, seconds = 60)
  void aReaderIsServedAmongWritersWithoutEnd(Bench bench) throws InterruptedException {
    expectServed(
        bench,
        DistributedReadWriteLock::writeLock,
        DistributedReadWriteLock::readLock,
        "a reader among writers without end");
  }

  private interface Side {
    DistributedLock of(DistributedReadWriteLock lock);
  }

  private static void expectServed(Bench bench, Side crowded, Side lonely, String who)
      throws InterruptedException {
    String name = bench.name();
    AtomicBoolean over = new AtomicBoolean();
    List<CompletableFuture<Boolean>> crowd = new ArrayList<>();
    for (int c = 0; c < 3; c++) {
      DistributedReadWriteLock lock = bench.open().readWriteLock(name);
      for (int i = 0; i < 2; i++) {
        crowd.add(bench.fork(() -> useAgainAndAgain(crowded.of(lock), over)));
      }
    }
    DistributedLock wanted = lonely.of(bench.open().readWriteLock(name));
    for (int i = 0; i < 3; i++) {
      Waiting.pause(Duration.ofMillis(50));
      try {
        wanted.acquire(bench.within(BOUND)).close();
      } catch (LockTimeoutException e) {
        throw Expect.violation(who + " must be served, and was not: " + e.getMessage());
      }
    }
    over.set(true);
    for (CompletableFuture<Boolean> each : crowd) {
      Waiting.result("an end of the crowd", bench.within(PATIENCE), each);
    }
  }

  /** Holds it for so long that the uses of three overlap. */
  private static boolean useAgainAndAgain(DistributedLock lock, AtomicBoolean over)
      throws InterruptedException {
    while (!over.get()) {
      try (Lease lease = lock.acquire(PATIENCE)) {
        Waiting.pause(Duration.ofMillis(lease.isHeld() ? 20 : 0));
      } catch (LockException e) {
        // What a busy machine does to short requests is not looked at here.
      }
    }
    return true;
  }
}
