package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.STOP_1;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.ReleaseResult;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.HeldReplies;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** STOP-1: interruption. */
final class StopInterruptionChecks {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration COMMAND = Duration.ofMillis(500);
  private static final Duration MOMENT = Duration.ofMillis(100);

  @Verifies(STOP_1)
  void aThreadThatWaitsIsInterruptedPromptly(Bench bench) throws InterruptedException {
    Wiretap wire = new Wiretap();
    LockClient client = bench.client().commandTimeout(COMMAND).tap(wire).open();
    String holder = bench.owner();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      String name = bench.name();
      bench.node().granted(name, holder, LONG);
      names.add(name);
    }
    DistributedLock configured = client.lock(names.get(0));
    DistributedLock given = client.lock(names.get(1));
    DistributedLock tried = client.lock(names.get(2));
    Lock locked = client.lock(names.get(3)).asLock();
    Lock timed = client.lock(names.get(4)).asLock();
    List<Interruptee> waiters =
        List.of(
            Interruptee.calling(bench, "acquire()", configured::acquire),
            Interruptee.calling(bench, "acquire(Duration)", () -> given.acquire(LONG)),
            Interruptee.calling(bench, "tryAcquire(Duration)", () -> tried.tryAcquire(LONG)),
            Interruptee.calling(bench, "lockInterruptibly()", () -> lockInterruptibly(locked)),
            Interruptee.calling(bench, "tryLock(time)", () -> timed.tryLock(20, TimeUnit.SECONDS)));
    Waiting.until(
        "every waiter has asked for its lock",
        bench.within(COMMAND),
        () -> wire.grantReplies().size() >= names.size());
    Waiting.pause(MOMENT);
    waiters.forEach(Interruptee::interrupt);
    for (Interruptee waiter : waiters) {
      waiter.expectInterrupted(bench.within(COMMAND));
    }
    // What was asked before the interruption may still be granted, and is given back.
    Waiting.until(
        "what was under way is answered",
        bench.within(COMMAND),
        () -> wire.grantReplies().size() >= wire.count(Operation.GRANT));
    for (String name : names) {
      bench.node().release(name, holder);
    }
    Waiting.always("who was interrupted takes nothing later", MOMENT, () -> allFree(bench, names));
  }

  private static String lockInterruptibly(Lock lock) throws InterruptedException {
    lock.lockInterruptibly();
    return "normally";
  }

  private static boolean allFree(Bench bench, List<String> names) throws InterruptedException {
    for (String name : names) {
      if (bench.node().isHeld(name)) {
        return false;
      }
    }
    return true;
  }

  @Verifies(STOP_1)
  void aThreadWhoseRequestIsUnderWayIsInterruptedAndHoldsNothing(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    Duration command = Duration.ofSeconds(4);
    HeldReplies held = new HeldReplies(Operation.GRANT);
    LockClient client = bench.client().lease(LONG).commandTimeout(command).tap(held).open();
    Interruptee caller =
        Interruptee.calling(bench, "acquire(Duration)", () -> client.lock(name).acquire(LONG));
    Waiting.until("the lock is granted", bench.within(COMMAND), () -> bench.node().isHeld(name));
    caller.interrupt().expectInterrupted(bench.within(command));
    Waiting.until(
        "what was granted to an interrupted call is released",
        bench.within(command),
        () -> !bench.node().isHeld(name));
    held.letGo();
    Waiting.always("it stays released", MOMENT, () -> !bench.node().isHeld(name));
  }

  @Verifies(STOP_1)
  void aThreadThatWasInterruptedBeforeAsksForNothing(Bench bench) throws InterruptedException {
    Wiretap wire = new Wiretap();
    DistributedLock lock = bench.client().tap(wire).open().lock(bench.name());
    List<Callable<?>> calls =
        List.of(lock::acquire, () -> lock.acquire(LONG), () -> lock.tryAcquire(LONG));
    for (Callable<?> call : calls) {
      Interruptee.calling(
              bench,
              "a call by an interrupted thread",
              () -> {
                Thread.currentThread().interrupt();
                return call.call();
              })
          .expectInterrupted(bench.within(COMMAND));
    }
    Expect.equal(0, wire.count(Operation.GRANT), "the number of requests by interrupted threads");
  }

  @Verifies(STOP_1)
  void whatIsNotInterruptibleKeepsTheFlag(Bench bench) throws InterruptedException {
    DistributedLock lock = bench.open().lock(bench.name());
    Waiting.result(
        "the end of uninterruptible calls",
        bench.within(Duration.ofSeconds(5)),
        bench.fork(
            () -> {
              Thread.currentThread().interrupt();
              useInterrupted(lock);
              return "";
            }));
  }

  private static void useInterrupted(DistributedLock lock) throws InterruptedException {
    Lease lease =
        Calmly.call("tryAcquire by an interrupted thread", lock::tryAcquire)
            .orElseThrow(() -> Expect.violation("tryAcquire by an interrupted thread failed"));
    expectFlag("tryAcquire()");
    Expect.equal(
        ReleaseResult.RELEASED,
        Calmly.call("release by an interrupted thread", lease::release),
        "the result of a release by an interrupted thread");
    expectFlag("release()");
    Lock view = lock.asLock();
    Calmly.run("lock() by an interrupted thread", view::lock);
    expectFlag("lock()");
    Calmly.run("unlock() by an interrupted thread", view::unlock);
    expectFlag("unlock()");
    Expect.that(view.tryLock(), "tryLock() by an interrupted thread must get a free lock");
    expectFlag("tryLock()");
    view.unlock();
  }

  private static void expectFlag(String call) {
    Expect.that(
        Thread.currentThread().isInterrupted(), call + " must keep the thread's interrupt flag");
  }
}
