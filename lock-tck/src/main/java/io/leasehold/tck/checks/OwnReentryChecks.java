package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.OWN_1;
import static io.leasehold.tck.Requirement.OWN_2;
import static io.leasehold.tck.Requirement.OWN_3;
import static io.leasehold.tck.Requirement.OWN_4;

import io.leasehold.LeaseLostException;
import io.leasehold.LockClient;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** OWN-1 to OWN-4, for the view of a lock that belongs to threads. */
@SuppressWarnings("LockNotBeforeTry") // whether and when it is locked is what is looked at
final class OwnReentryChecks {
  private static final Duration BRIEF = Duration.ofMillis(250);

  @Verifies(OWN_1)
  void reentryIsCountedAndTheLastUnlockReleases(Bench bench) throws InterruptedException {
    String name = bench.name();
    LockClient client = bench.open();
    Lock view = client.lock(name).asLock();
    Lock other = client.lock(name).asLock();
    view.lock();
    Expect.that(other.tryLock(), "re-entry by another view of the same lock must succeed");
    Expect.that(view.tryLock(1, TimeUnit.SECONDS), "re-entry by tryLock with a time must succeed");
    view.lockInterruptibly();
    for (int left = 3; left > 0; left--) {
      view.unlock();
      Expect.that(bench.node().isHeld(name), "a lock is free with " + left + " unlocks to come");
    }
    other.unlock();
    Expect.that(!bench.node().isHeld(name), "the last unlock must release the lock");
  }

  @Verifies(OWN_2)
  void anUnlockByAStrangerThrows(Bench bench) throws InterruptedException {
    String name = bench.name();
    LockClient client = bench.open();
    Lock view = client.lock(name).asLock();
    expectRefused(view, "unlock of a lock that nobody holds");
    view.lock();
    Waiting.result(
        "the end of a stranger's unlock",
        bench.within(Duration.ofSeconds(5)),
        bench.fork(
            () -> {
              expectRefused(view, "unlock by another thread of the client");
              expectRefused(client.lock(name).asLock(), "unlock of another view by a stranger");
              return "";
            }));
    expectRefused(bench.open().lock(name).asLock(), "unlock by another client");
    Expect.that(bench.node().isHeld(name), "a stranger's unlock must not release the lock");
    view.unlock();
    expectRefused(view, "one unlock too many");
  }

  private static void expectRefused(Lock view, String what) {
    Expect.thrown(IllegalMonitorStateException.class, () -> unlock(view), what);
  }

  private static String unlock(Lock view) {
    view.unlock();
    return "normally";
  }

  @Verifies(OWN_4)
  void reentryAfterALossThrows(Bench bench) throws InterruptedException {
    Lock view = lost(bench, bench.name());
    expectLost(
        () -> {
          view.lock();
          return "normally";
        },
        "lock");
    expectLost(
        () -> {
          view.lockInterruptibly();
          return "normally";
        },
        "lockInterruptibly");
    expectLost(view::tryLock, "tryLock");
    expectLost(() -> view.tryLock(1, TimeUnit.SECONDS), "tryLock with a time");
  }

  private static void expectLost(Callable<?> call, String what) {
    Expect.thrown(LeaseLostException.class, call, what + " by a thread whose lease was lost");
  }

  @Verifies(OWN_3)
  void anUnlockAfterALossSaysSoAndHarmsNobody(Bench bench) throws InterruptedException {
    String name = bench.name();
    Lock view = lost(bench, name);
    String successor = bench.owner();
    bench.node().granted(name, successor, Duration.ofSeconds(20));
    IllegalMonitorStateException refused =
        Expect.thrown(
            IllegalMonitorStateException.class, () -> unlock(view), "unlock after a loss");
    Expect.that(
        refused.getCause() instanceof LeaseLostException,
        "the cause of a late unlock must be the loss, and is " + refused.getCause());
    Waiting.always(
        "a late unlock does not harm a successor",
        Duration.ofMillis(100),
        () ->
            bench
                .node()
                .inspect(name)
                .holder()
                .filter(h -> h.owner().equals(successor))
                .isPresent());
    bench.node().release(name, successor);
    Calmly.run("lock after a loss that was unlocked", view::lock);
    Calmly.run("its unlock", view::unlock);
  }

  /** A view that this thread has locked, and whose lock has ended. */
  private static Lock lost(Bench bench, String name) throws InterruptedException {
    Lock view = bench.client().lease(BRIEF).withoutRenewal().open().lock(name).asLock();
    view.lock();
    long locked = System.nanoTime();
    Waiting.until("a brief lock ends", bench.within(BRIEF), () -> !bench.node().isHeld(name));
    while (System.nanoTime() - locked < BRIEF.toNanos()) {
      Waiting.pause(Duration.ofMillis(5)); // a server whose clock runs fast
    }
    return view;
  }
}
