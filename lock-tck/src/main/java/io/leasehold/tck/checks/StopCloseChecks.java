package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.STOP_3;
import static io.leasehold.tck.Requirement.STOP_4;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockClosedException;
import io.leasehold.LossReason;
import io.leasehold.ReleaseResult;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.HeldReplies;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Silence;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;

/** STOP-3 and STOP-4: closing a client. */
final class StopCloseChecks {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration COMMAND = Duration.ofMillis(500);

  @Verifies(STOP_3)
  void callsThatWaitFailWhenTheirClientIsClosed(Bench bench) throws InterruptedException {
    Wiretap wire = new Wiretap();
    LockClient client = bench.client().tap(wire).open();
    List<DistributedLock> locks = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      String name = bench.name();
      bench.node().granted(name, bench.owner(), LONG);
      locks.add(client.lock(name));
    }
    Lock view = locks.get(1).asLock();
    List<CompletableFuture<?>> waiters =
        List.of(
            bench.fork(() -> locks.get(0).acquire(LONG)),
            bench.fork(
                () -> {
                  view.lock();
                  return view;
                }),
            locks.get(2).acquireAsync(LONG));
    Waiting.until(
        "every waiter has asked",
        bench.tolerance(),
        () -> wire.grantReplies().size() >= waiters.size());
    client.close();
    for (CompletableFuture<?> waiter : waiters) {
      expectClosed(bench, waiter, "a call that waits when its client is closed");
    }
  }

  @Verifies(STOP_3)
  void leasesAreReleasedAndToldWhenTheirClientIsClosed(Bench bench) throws InterruptedException {
    LockClient client = bench.client().lease(LONG).open();
    String name = bench.name();
    Lease lease = client.lock(name).acquire(LONG);
    LossLog losses = LossLog.of(lease);
    client.close();
    Expect.that(!lease.isHeld(), "a lease of a closed client must not be held");
    Waiting.until(
        "the lease of a closed client is released",
        bench.tolerance(),
        () -> !bench.node().isHeld(name));
    losses.expect(LossReason.CLIENT_CLOSED, bench.tolerance());
    Expect.equal(
        ReleaseResult.LOST,
        Calmly.call("release after close", lease::release),
        "the result of a release after close");
    Calmly.run("close of a lease after its client's", lease::close);
  }

  @Verifies(STOP_3)
  void aGrantThatIsUnderWayWhenItsClientIsClosedLeavesNothing(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    HeldReplies held = new HeldReplies(Operation.GRANT);
    LockClient client = bench.client().lease(LONG).commandTimeout(COMMAND).tap(held).open();
    CompletableFuture<Lease> caller = bench.fork(() -> client.lock(name).acquire(LONG));
    Waiting.until("the lock is granted", bench.tolerance(), () -> bench.node().isHeld(name));
    client.close();
    expectClosed(bench, caller, "a call whose request is under way when its client is closed");
    Waiting.until(
        "a lock that was granted while its client was closed is released",
        bench.tolerance(),
        () -> !bench.node().isHeld(name));
    held.letGo();
  }

  @Verifies(STOP_3)
  void callsAfterCloseFail(Bench bench) throws InterruptedException {
    LockClient client = bench.open();
    DistributedLock lock = client.lock(bench.name());
    client.close();
    Class<LockClosedException> closed = LockClosedException.class;
    Expect.thrown(closed, lock::tryAcquire, "tryAcquire after close");
    Expect.thrown(closed, () -> lock.tryAcquire(LONG), "tryAcquire(Duration) after close");
    Expect.thrown(closed, () -> lock.acquire(LONG), "acquire after close");
    Expect.thrown(closed, lock.asLock()::tryLock, "tryLock after close");
    expectClosed(
        bench,
        Calmly.call("acquireAsync after close", () -> lock.acquireAsync(LONG)),
        "the future of acquireAsync after close");
  }

  @Verifies(STOP_3)
  void closeEndsEvenIfTheServerIsSilent(Bench bench) throws InterruptedException {
    LockClient client =
        bench
            .client()
            .lease(LONG)
            .commandTimeout(COMMAND)
            .tap(new Silence(Operation.RELEASE))
            .open();
    client.lock(bench.name()).acquire(LONG);
    Waiting.result(
        "close ends within a few command timeouts",
        bench.within(COMMAND.multipliedBy(4)),
        bench.fork(
            () -> {
              client.close();
              return "";
            }));
  }

  private static void expectClosed(Bench bench, CompletableFuture<?> waiter, String what)
      throws InterruptedException {
    Expect.thrown(
        LockClosedException.class,
        () -> Waiting.result("the end of " + what, bench.within(COMMAND), waiter),
        what);
  }

  @Verifies(STOP_4)
  void closingTwiceIsClosingOnce(Bench bench) throws InterruptedException {
    LockClient client = bench.open();
    Lease lease = client.lock(bench.name()).acquire(LONG);
    LossLog losses = LossLog.of(lease);
    Calmly.run("the first close", client::close);
    Calmly.run("the second close", client::close);
    Calmly.run("the third close", client::close);
    losses.expect(LossReason.CLIENT_CLOSED, bench.tolerance());
  }

  @Verifies(STOP_4)
  void severalThreadsMayCloseAtTheSameTime(Bench bench) throws InterruptedException {
    LockClient client = bench.client().lease(LONG).open();
    Lease lease = client.lock(bench.name()).acquire(LONG);
    List<CompletableFuture<String>> closers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      closers.add(
          bench.fork(
              () -> {
                client.close();
                return "";
              }));
    }
    for (CompletableFuture<String> closer : closers) {
      Calmly.call(
          "one of several closes at the same time",
          () -> Waiting.result("its end", bench.within(COMMAND.multipliedBy(4)), closer));
    }
    Expect.that(!lease.isHeld(), "a lease of a closed client must not be held");
  }
}
