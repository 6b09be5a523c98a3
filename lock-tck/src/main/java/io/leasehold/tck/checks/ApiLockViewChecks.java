package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.API_5;

import io.leasehold.LockClient;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** API-5: the view of a lock keeps the contract that existing code relies on. */
@SuppressWarnings("LockNotBeforeTry") // whether and when it is locked is what is looked at
final class ApiLockViewChecks {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration PROMPT = Duration.ofSeconds(2);

  @Verifies(API_5)
  void lockWaitsUntilTheHolderUnlocks(Bench bench) throws InterruptedException {
    String name = bench.name();
    LockClient client = bench.open();
    Lock view = client.lock(name).asLock();
    view.lock();
    CompletableFuture<Boolean> next =
        bench.fork(
            () -> {
              Lock other = client.lock(name).asLock();
              other.lock();
              other.unlock();
              return true;
            });
    Waiting.always(
        "lock() waits while another thread holds the lock",
        Duration.ofMillis(150),
        () -> !next.isDone());
    view.unlock();
    Waiting.result("lock() returns when the holder has unlocked", bench.within(PROMPT), next);
  }

  @Verifies(API_5)
  void tryLockTellsWhetherItGotTheLock(Bench bench) throws InterruptedException {
    String name = bench.name();
    LockClient client = bench.open();
    Lock view = client.lock(name).asLock();
    Expect.that(view.tryLock(), "tryLock() of a free lock must succeed");
    boolean second =
        Waiting.result(
            "tryLock() returns",
            bench.within(PROMPT),
            bench.fork(() -> client.lock(name).asLock().tryLock()));
    Expect.that(!second, "tryLock() of a lock that another thread holds must fail");
    view.unlock();
    Expect.that(view.tryLock(1, TimeUnit.SECONDS), "tryLock(time) of a free lock must succeed");
    view.unlock();
  }

  @Verifies(API_5)
  void timesAtTheEdgesAreTakenAsTheyAreMeant(Bench bench) throws InterruptedException {
    String name = bench.name();
    bench.node().granted(name, bench.owner(), LONG);
    Lock view = bench.open().lock(name).asLock();
    expectPrompt(bench, view, 0);
    expectPrompt(bench, view, -1);
    expectPrompt(bench, view, Long.MIN_VALUE);
    CompletableFuture<Boolean> patient =
        bench.fork(() -> view.tryLock(Long.MAX_VALUE, TimeUnit.DAYS));
    Waiting.always(
        "the longest time there is does not pass at once",
        Duration.ofMillis(150),
        () -> !patient.isDone());
  }

  private static void expectPrompt(Bench bench, Lock view, long days) throws InterruptedException {
    boolean got =
        Waiting.result(
            "tryLock(" + days + " days) does not wait",
            bench.tolerance(),
            bench.fork(() -> view.tryLock(days, TimeUnit.DAYS)));
    Expect.that(!got, "tryLock(" + days + " days) of a busy lock must fail");
  }

  @Verifies(API_5)
  void interruptibleMethodsThrowForAThreadThatIsAlreadyInterrupted(Bench bench)
      throws InterruptedException {
    Lock view = bench.open().lock(bench.name()).asLock();
    Interruptee.calling(
            bench,
            "lockInterruptibly() of a free lock",
            () -> {
              Thread.currentThread().interrupt();
              view.lockInterruptibly();
              return "";
            })
        .expectInterrupted(bench.within(PROMPT));
    Interruptee.calling(
            bench,
            "tryLock(time) of a free lock",
            () -> {
              Thread.currentThread().interrupt();
              return view.tryLock(1, TimeUnit.SECONDS);
            })
        .expectInterrupted(bench.within(PROMPT));
    Expect.that(view.tryLock(), "a lock that interrupted threads asked for must be free");
    view.unlock();
  }

  @Verifies(API_5)
  void conditionsAreRefused(Bench bench) {
    Lock view = bench.open().lock(bench.name()).asLock();
    Expect.thrown(UnsupportedOperationException.class, view::newCondition, "newCondition");
  }
}
