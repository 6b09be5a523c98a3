package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.LIVE_B_5;
import static io.leasehold.tck.Requirement.LIVE_B_6;
import static io.leasehold.tck.Requirement.LIVE_B_7;
import static io.leasehold.tck.Requirement.LIVE_B_8;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.LockUnavailableException;
import io.leasehold.spi.Capability;
import io.leasehold.tck.Faults;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** LIVE-B-5 to 8: servers that fail, and come back. */
final class LiveFaultChecks {
  private static final Duration COMMAND = Duration.ofMillis(400);
  private static final Duration WAIT = Duration.ofMillis(400);
  private static final Duration GUARDED_WAIT = Duration.ofSeconds(2);
  private static final Duration A_LITTLE = Duration.ofMillis(50);
  private static final Duration RECOVERY = Duration.ofSeconds(3);

  @Verifies(LIVE_B_5)
  void clientsGoOnWhenTheServerForgotItsScripts(Bench bench) throws InterruptedException {
    Duration time = Duration.ofMillis(1_500);
    LockClient client = bench.client().lease(time).open();
    try (Lease held = client.lock(bench.name()).acquire(RECOVERY)) {
      bench.faults().scriptLoss().get().run();
      expectServed(bench, client, Duration.ZERO, "after the scripts were lost");
      bench.faults().scriptLoss().get().run();
      Waiting.always("the lease is renewed without scripts", time, held::isHeld);
    }
  }

  @Verifies(value = LIVE_B_6, seconds = 90)
  void clientsRecoverFromARestartOfAllServers(Bench bench) throws InterruptedException {
    Duration ttl = Duration.ofMillis(500);
    LockClient client = bench.client().commandTimeout(COMMAND).open();
    expectServed(bench, client, RECOVERY, "before the restart");
    String busy = bench.name();
    bench.node().granted(busy, bench.owner(), ttl);
    CompletableFuture<Lease> waiter =
        bench.fork(() -> throughARestart(client.lock(busy), bench.has(Capability.GUARD)));
    bench.faults().restart();
    expectServed(bench, client, RECOVERY, "after a restart");
    Waiting.result(
        "a call that waited through a restart", bench.within(RECOVERY.plus(ttl)), waiter);
  }

  /**
   * One call, unless there is a guard: whoever asks before the servers are vouched for is told to
   * come again after their quarantine. So that nobody waits for that, the calls are short then, and
   * made again.
   */
  private static Lease throughARestart(DistributedLock lock, boolean guarded)
      throws InterruptedException {
    while (guarded) {
      try {
        return lock.acquire(GUARDED_WAIT);
      } catch (LockUnavailableException e) {
        Waiting.pause(A_LITTLE);
      }
    }
    return lock.acquire(Duration.ofSeconds(10));
  }

  @Verifies(LIVE_B_7)
  void silentServersAreToldAsUnavailableInTime(Bench bench) throws InterruptedException {
    LockClient client = bench.client().commandTimeout(COMMAND).open();
    bench.faults().pause();
    expectUnavailable(bench, client, "with servers that are silent");
  }

  @Verifies(LIVE_B_7)
  void deadServersAreToldAsUnavailableInTime(Bench bench) throws InterruptedException {
    LockClient client = bench.client().commandTimeout(COMMAND).open();
    bench.faults().kill();
    expectUnavailable(bench, client, "with servers that are dead");
  }

  private static void expectUnavailable(Bench bench, LockClient client, String how)
      throws InterruptedException {
    // A lock for each: in one line, the first would answer for the others.
    DistributedLock first = client.lock(bench.name());
    DistributedLock second = client.lock(bench.name());
    DistributedLock third = client.lock(bench.name());
    Callable<?> attempt = first::tryAcquire;
    Callable<?> blocking = () -> second.acquire(WAIT);
    Callable<?> async =
        () -> Waiting.result("an end", bench.within(RECOVERY), third.acquireAsync(WAIT));
    Duration bound = bench.within(WAIT.plus(COMMAND));
    List<CompletableFuture<LockUnavailableException>> calls =
        List.of(
            unavailable(bench, attempt, "tryAcquire " + how),
            unavailable(bench, blocking, "acquire " + how),
            unavailable(bench, async, "acquireAsync " + how));
    for (CompletableFuture<LockUnavailableException> call : calls) {
      Waiting.result("an end of the call " + how, bound, call);
    }
  }

  private static CompletableFuture<LockUnavailableException> unavailable(
      Bench bench, Callable<?> call, String what) {
    return bench.fork(() -> Expect.thrown(LockUnavailableException.class, call, what));
  }

  @Verifies(LIVE_B_8)
  void clientsRecoverWhenServersAnswerAgain(Bench bench) throws InterruptedException {
    Faults faults = bench.faults();
    LockClient client = bench.client().commandTimeout(COMMAND).open();
    faults.pause();
    try {
      client.lock(bench.name()).tryAcquire();
    } catch (LockException e) {
      // Whether, and how, it must fail is another check's business.
    }
    faults.resume();
    expectServed(bench, client, RECOVERY, "after a silence");
  }

  @Verifies(LIVE_B_8)
  void clientsRecoverWhenTheirConnectionsWereCut(Bench bench) throws InterruptedException {
    LockClient client = bench.client().commandTimeout(COMMAND).open();
    expectServed(bench, client, RECOVERY, "before the cut");
    bench.faults().cut();
    expectServed(bench, client, RECOVERY, "after a cut");
  }

  /** The client takes and releases a lock, within the bound. */
  private static void expectServed(Bench bench, LockClient client, Duration bound, String when)
      throws InterruptedException {
    try {
      client.lock(bench.name()).acquire(bench.within(bound)).release();
    } catch (LockException e) {
      throw Expect.violation("no lock to be had " + when + ": " + e.getMessage());
    }
  }
}
