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
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.DroppedWakeUps;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** LIVE-A-7 and LIVE-A-8: wake-ups, and waiters that miss them. */
final class LiveWaitingChecks {
  private static final Duration SHORT = Duration.ofMillis(2_500);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** For what is no promise: the first subscription of a client on a machine that is busy. */
  private static final Duration PREPARATION = Duration.ofSeconds(8);

  /** A lock that somebody holds who keeps to the raw node. */
  private record Held(SyncNode node, String name, String owner, Duration ttl) {

    static Held by(Bench bench, Duration ttl) throws InterruptedException {
      Held held = new Held(bench.node(), bench.name(), bench.owner(), ttl);
      held.renew();
      return held;
    }

    /** Takes it again, for the whole time; true, to stand in a condition. */
    boolean renew() throws InterruptedException {
      node.granted(name, owner, ttl);
      return true;
    }

    void release() throws InterruptedException {
      node.release(name, owner);
    }
  }

  @Verifies(LIVE_A_7)
  void aReleaseWakesAWaiterLongBeforeTheLeaseWouldHaveEnded(Bench bench)
      throws InterruptedException {
    Held held = Held.by(bench, LONG);
    CompletableFuture<Lease> waiter = await(bench, bench.client(), held);
    held.release();
    Waiting.result("a waiter was woken by a release", bench.within(Duration.ZERO), waiter);
  }

  @Verifies(LIVE_A_7)
  void aWaiterWhoseWakeUpWasLostHasTheLockWhenTheLeaseWouldHaveEnded(Bench bench)
      throws InterruptedException {
    Held held = Held.by(bench, SHORT);
    CompletableFuture<Lease> waiter = await(bench, bench.client().tap(new DroppedWakeUps()), held);
    held.release();
    Waiting.result("a waiter whose wake-up was lost has the lock", bench.within(SHORT), waiter);
  }

  /** The calls of a client come and go: its last watch may end when the next has begun. */
  @Verifies(LIVE_A_7)
  void aWatchThatEndsTakesNoLaterOneOfTheSameLockWithIt(Bench bench) throws InterruptedException {
    Held held = Held.by(bench, LONG);
    SyncNode node = bench.newNode();
    CompletableFuture<Boolean> woken = new CompletableFuture<>();
    Watching earlier = watch(node, held, () -> {});
    watch(node, held, () -> woken.complete(true));
    enter(bench, node, held);
    earlier.watch().close();
    held.release();
    Waiting.result("the later watch was woken by a release", bench.within(Duration.ZERO), woken);
  }

  @Verifies(LIVE_A_8)
  void aWaiterThatDoesNotReactDelaysOthersNoLongerThanTheLease(Bench bench)
      throws InterruptedException {
    Held held = Held.by(bench, SHORT);
    SyncNode hanging = bench.newNode();
    watch(hanging, held, () -> {});
    enter(bench, hanging, held);
    CompletableFuture<Lease> waiter = await(bench, bench.client(), held);
    held.release();
    Waiting.result(
        "the waiter behind one that does not react has the lock", bench.within(SHORT), waiter);
  }

  @Verifies(LIVE_A_8)
  void aWaiterThatIsGoneDelaysOthersNoLongerThanTheLease(Bench bench) throws InterruptedException {
    Held held = Held.by(bench, SHORT);
    SyncNode gone = bench.newNode();
    watch(gone, held, () -> {});
    enter(bench, gone, held);
    CompletableFuture<Lease> waiter = await(bench, bench.client(), held);
    gone.node().close();
    held.release();
    Waiting.result("the waiter behind one that is gone has the lock", bench.within(SHORT), waiter);
  }

  private static Watching watch(SyncNode node, Held held, Runnable wake)
      throws InterruptedException {
    CompletableFuture<Watching> begun = new CompletableFuture<>();
    Waiting.until(
        "a node can be watched",
        PREPARATION,
        () ->
            held.renew()
                && node.watch(held.name, wake) instanceof Watching watching
                && begun.complete(watching));
    return begun.join();
  }

  /** Enters a waiter that will never ask again. */
  private static void enter(Bench bench, SyncNode node, Held held) throws InterruptedException {
    GrantRequest request =
        new GrantRequest(
            held.name,
            bench.owner(),
            LONG.toMillis(),
            System.currentTimeMillis() * 1_000,
            GrantRequest.NO_DEADLINE,
            Queueing.WAKE);
    held.renew();
    Expect.type(Busy.class, node.grant(request), "the reply to a waiter");
  }

  /** Lets a client wait, and returns when the server has entered it as a waiter. */
  private static CompletableFuture<Lease> await(Bench bench, Opening opening, Held held)
      throws InterruptedException {
    Wiretap wire = new Wiretap();
    LockClient client = opening.tap(wire).open();
    held.renew();
    CompletableFuture<Lease> lease = bench.fork(() -> client.lock(held.name).acquire(PATIENCE));
    Waiting.until(
        "a client that waits has entered itself", PREPARATION, () -> held.renew() && entered(wire));
    return lease;
  }

  private static boolean entered(Wiretap wire) {
    return wire.grants().stream().anyMatch(request -> request.queueing() == Queueing.WAKE)
        && wire.grantReplies().size() == wire.grants().size();
  }
}
