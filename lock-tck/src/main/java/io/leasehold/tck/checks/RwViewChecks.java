package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.RW_6;

import io.leasehold.LockClient;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/** RW-6: the view of a read-write lock keeps the contract that existing code relies on. */
@SuppressWarnings("LockNotBeforeTry") // whether and when it is locked is what is looked at
final class RwViewChecks {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration PROMPT = Duration.ofSeconds(2);
  private static final Duration MOMENT = Duration.ofMillis(150);

  @Verifies(RW_6)
  void bothSidesAreReentrantAndTheLastUnlockReleases(Bench bench) throws InterruptedException {
    String name = bench.name();
    LockClient client = bench.open();
    ReadWriteLock view = client.readWriteLock(name).asReadWriteLock();
    for (Lock side : List.of(view.readLock(), view.writeLock())) {
      side.lock();
      Expect.that(side.tryLock(), "re-entry by tryLock() must succeed");
      Expect.that(side.tryLock(1, TimeUnit.SECONDS), "re-entry by tryLock(time) must succeed");
      side.lockInterruptibly();
      for (int left = 3; left > 0; left--) {
        side.unlock();
        Expect.that(!isFree(bench, name), "the lock is free with " + left + " unlocks to come");
      }
      side.unlock();
      expectFree(bench, name, "the last unlock must release the lock");
      Expect.thrown(
          IllegalMonitorStateException.class,
          () -> unlocked(side),
          "an unlock by a thread that holds nothing");
    }
  }

  private static String unlocked(Lock side) {
    side.unlock();
    return "normally";
  }

  /** A minority of a quorum may notice a release a moment later. */
  private static void expectFree(Bench bench, String name, String what)
      throws InterruptedException {
    Waiting.until(what, bench.within(MOMENT), () -> isFree(bench, name));
  }

  /** Only looks: a writer that came and went would give those readers a turn who wait. */
  private static boolean isFree(Bench bench, String name) throws InterruptedException {
    return !bench.node().readers().isHeld(name) && !bench.node().writers().isHeld(name);
  }

  @Verifies(RW_6)
  void otherViewsOfTheLockAreTheSame(Bench bench) throws InterruptedException {
    String name = bench.name();
    LockClient client = bench.open();
    Lock write = client.readWriteLock(name).asReadWriteLock().writeLock();
    write.lock();
    client.readWriteLock(name).writeLock().asLock().unlock();
    expectFree(bench, name, "asLock() of a side must be the view's");
    Lock read = client.readWriteLock(name).readLock().asLock();
    read.lock();
    client.readWriteLock(name).asReadWriteLock().readLock().unlock();
    expectFree(bench, name, "asLock() of a side must be the view's");
  }

  @Verifies(RW_6)
  void threadsReadTogetherAndWriteAlone(Bench bench) throws InterruptedException {
    ReadWriteLock view = bench.open().readWriteLock(bench.name()).asReadWriteLock();
    view.readLock().lock();
    Expect.that(
        elsewhere(bench, () -> view.readLock().tryLock() && done(view.readLock())),
        "tryLock() of the read lock beside another reader must succeed");
    Expect.that(
        !elsewhere(bench, () -> view.writeLock().tryLock()),
        "tryLock() of the write lock beside a reader must fail");
    view.readLock().unlock();
    view.writeLock().lock();
    Expect.that(
        !elsewhere(bench, () -> view.readLock().tryLock()),
        "tryLock() of the read lock beside a writer must fail");
    Expect.that(
        !elsewhere(bench, () -> view.readLock().tryLock(50, TimeUnit.MILLISECONDS)),
        "tryLock(time) of the read lock beside a writer must fail");
    CompletableFuture<Boolean> waiter =
        bench.fork(
            () -> {
              view.readLock().lock();
              return done(view.readLock());
            });
    Waiting.always("lock() waits while another writes", MOMENT, () -> !waiter.isDone());
    view.writeLock().unlock();
    Waiting.result("lock() returns when the writer has unlocked", bench.within(PROMPT), waiter);
  }

  private static boolean done(Lock side) {
    side.unlock();
    return true;
  }

  /** What another thread sees; it must not wait. */
  private static boolean elsewhere(Bench bench, Callable<Boolean> look)
      throws InterruptedException {
    return Waiting.result("tryLock does not wait", bench.within(PROMPT), bench.fork(look));
  }

  @Verifies(RW_6)
  void aWriterMayReadAndReadsOnWhenItHasUnlockedTheWriteLock(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    ReadWriteLock view = bench.open().readWriteLock(name).asReadWriteLock();
    view.writeLock().lock();
    Expect.that(view.readLock().tryLock(), "a thread that writes must be able to read");
    view.writeLock().unlock();
    Expect.that(!isFree(bench, name), "a thread that stopped writing must still read");
    Expect.that(
        elsewhere(bench, () -> view.readLock().tryLock() && done(view.readLock())),
        "others must be able to read beside a thread that stopped writing");
    view.readLock().unlock();
    expectFree(bench, name, "the last unlock must release the lock");
    view.writeLock().lock();
    view.readLock().lock();
    view.readLock().unlock();
    Expect.that(
        !elsewhere(bench, () -> view.readLock().tryLock()),
        "a thread that stopped reading must still write");
    view.writeLock().unlock();
    expectFree(bench, name, "the last unlock must release the lock");
  }

  @Verifies(RW_6)
  void aReaderThatWantsToWriteIsToldThatItWouldWaitForItself(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    ReadWriteLock view = bench.open().readWriteLock(name).asReadWriteLock();
    Waiting.result(
        "an upgrade is answered at once",
        bench.within(PROMPT),
        bench.fork(
            () -> {
              view.readLock().lock();
              Lock write = view.writeLock();
              Expect.that(!write.tryLock(), "tryLock() of the write lock by a reader must fail");
              expectRefused("lock()", () -> locked(write));
              expectRefused("lockInterruptibly()", () -> lockedInterruptibly(write));
              expectRefused("tryLock(time)", () -> write.tryLock(10, TimeUnit.SECONDS));
              Expect.that(!isFree(bench, name), "a refused upgrade must not end the read lock");
              view.readLock().unlock();
              return "";
            }));
    expectFree(bench, name, "a refused upgrade must leave nothing");
  }

  private static void expectRefused(String what, Callable<?> call) {
    Expect.thrown(
        IllegalMonitorStateException.class, call, what + " of the write lock by a reader");
  }

  private static String locked(Lock side) {
    side.lock();
    return "normally";
  }

  private static String lockedInterruptibly(Lock side) throws InterruptedException {
    side.lockInterruptibly();
    return "normally";
  }

  @Verifies(RW_6)
  void bothSidesCanBeInterrupted(Bench bench) throws InterruptedException {
    String name = bench.name();
    String writer = bench.owner();
    bench.node().writers().granted(name, writer, LONG);
    ReadWriteLock view = bench.open().readWriteLock(name).asReadWriteLock();
    List<Interruptee> waiters =
        List.of(
            Interruptee.calling(
                bench, "lockInterruptibly() to read", () -> lockedInterruptibly(view.readLock())),
            Interruptee.calling(
                bench, "lockInterruptibly() to write", () -> lockedInterruptibly(view.writeLock())),
            Interruptee.calling(
                bench,
                "tryLock(time) to read",
                () -> view.readLock().tryLock(20, TimeUnit.SECONDS)),
            Interruptee.calling(
                bench,
                "tryLock(time) to write",
                () -> view.writeLock().tryLock(20, TimeUnit.SECONDS)));
    Waiting.pause(MOMENT);
    for (Interruptee waiter : waiters) {
      waiter.interrupt().expectInterrupted(bench.within(PROMPT));
    }
    bench.node().writers().release(name, writer);
    Waiting.until(
        "who was interrupted takes nothing", bench.within(PROMPT), () -> isFree(bench, name));
    Waiting.always("nor later", MOMENT, () -> isFree(bench, name));
  }

  @Verifies(RW_6)
  void conditionsAreRefusedOnBothSides(Bench bench) {
    ReadWriteLock view = bench.open().readWriteLock(bench.name()).asReadWriteLock();
    for (Lock side : List.of(view.readLock(), view.writeLock())) {
      Expect.thrown(UnsupportedOperationException.class, side::newCondition, "newCondition");
    }
  }
}
