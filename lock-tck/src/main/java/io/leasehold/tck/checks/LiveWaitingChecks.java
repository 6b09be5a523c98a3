package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.LIVE_A_7;
import static io.leasehold.tck.Requirement.LIVE_A_8;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.spi.Busy;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.Watching;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.DroppedWakeUps;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** LIVE-A-7 and LIVE-A-8: wake-ups, and waiters that miss them. */
final class LiveWaitingChecks {
  private static final Duration SHORT = Duration.ofMillis(1_200);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  @Verifies(LIVE_A_7)
  void aReleaseWakesAWaiterLongBeforeTheLeaseWouldHaveEnded(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    String holder = hold(bench, name, LONG);
    CompletableFuture<Lease> waiter = await(bench, bench.open(), name, 1);
    bench.node().release(name, holder);
    Waiting.result("a waiter was woken by a release", bench.within(Duration.ZERO), waiter);
  }

  @Verifies(LIVE_A_7)
  void aWaiterWhoseWakeUpWasLostHasTheLockWhenTheLeaseWouldHaveEnded(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    String holder = hold(bench, name, SHORT);
    DroppedWakeUps drop = new DroppedWakeUps();
    CompletableFuture<Lease> waiter = await(bench, bench.client().tap(drop).open(), name, 1);
    bench.node().release(name, holder);
    Waiting.result("a waiter whose wake-up was lost has the lock", bench.within(SHORT), waiter);
  }

  @Verifies(LIVE_A_8)
  void aWaiterThatDoesNotReactDelaysOthersNoLongerThanTheLease(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    String holder = hold(bench, name, SHORT);
    enter(bench, bench.newNode(), name);
    CompletableFuture<Lease> waiter = await(bench, bench.open(), name, 2);
    bench.node().release(name, holder);
    Waiting.result(
        "the waiter behind one that does not react has the lock", bench.within(SHORT), waiter);
  }

  @Verifies(LIVE_A_8)
  void aWaiterThatIsGoneDelaysOthersNoLongerThanTheLease(Bench bench) throws InterruptedException {
    String name = bench.name();
    String holder = hold(bench, name, SHORT);
    SyncNode gone = bench.newNode();
    enter(bench, gone, name);
    CompletableFuture<Lease> waiter = await(bench, bench.open(), name, 2);
    gone.node().close();
    bench.node().release(name, holder);
    Waiting.result("the waiter behind one that is gone has the lock", bench.within(SHORT), waiter);
  }

  private static String hold(Bench bench, String name, Duration ttl) throws InterruptedException {
    String owner = bench.owner();
    bench.node().granted(name, owner, ttl);
    return owner;
  }

  /** Enters a waiter that will never ask again. */
  private static void enter(Bench bench, SyncNode node, String name) throws InterruptedException {
    Expect.type(Watching.class, node.watch(name, () -> {}), "the reply to a watch");
    GrantRequest request =
        new GrantRequest(
            name,
            bench.owner(),
            LONG.toMillis(),
            System.currentTimeMillis() * 1_000,
            GrantRequest.NO_DEADLINE,
            Queueing.WAKE);
    Expect.type(Busy.class, node.grant(request), "the reply to a waiter");
  }

  /** Lets a client wait, and returns when the server knows of it. */
  private static CompletableFuture<Lease> await(
      Bench bench, LockClient client, String name, int waiters) throws InterruptedException {
    CompletableFuture<Lease> lease = bench.fork(() -> client.lock(name).acquire(PATIENCE));
    Waiting.until(
        "the server knows of " + waiters + " waiting",
        bench.within(Duration.ZERO),
        () -> bench.node().inspect(name).waiters() >= waiters);
    return lease;
  }
}
