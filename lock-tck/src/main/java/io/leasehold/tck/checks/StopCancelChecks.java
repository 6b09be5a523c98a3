package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.STOP_2;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.HeldReplies;
import io.leasehold.tck.wire.LateRequests;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** STOP-2: cancelled futures. */
final class StopCancelChecks {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration COMMAND = Duration.ofSeconds(4);
  private static final Duration MOMENT = Duration.ofMillis(150);

  @Verifies(STOP_2)
  void aGrantWhoseReplyComesAfterTheCancellationIsReleased(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    HeldReplies held = new HeldReplies(Operation.GRANT);
    LockClient client = bench.client().lease(LONG).commandTimeout(COMMAND).tap(held).open();
    CompletableFuture<Lease> future = client.lock(name).acquireAsync(LONG);
    Waiting.until("the lock is granted", bench.tolerance(), () -> bench.node().isHeld(name));
    cancel(future);
    expectFree(bench, name);
    held.letGo();
    Waiting.always("it stays released", MOMENT, () -> !bench.node().isHeld(name));
  }

  @Verifies(STOP_2)
  void aRequestThatArrivesAfterTheCancellationLeavesNothing(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    Duration delay = Duration.ofMillis(400);
    Wiretap wire = new Wiretap();
    LockClient client =
        bench
            .client()
            .lease(LONG)
            .commandTimeout(COMMAND)
            .tap(new LateRequests(delay, Operation.GRANT))
            .tap(wire)
            .open();
    CompletableFuture<Lease> future = client.lock(name).acquireAsync(LONG);
    cancel(future);
    Waiting.until(
        "the late request is answered", bench.within(delay), () -> !wire.grantReplies().isEmpty());
    expectFree(bench, name);
  }

  @Verifies(STOP_2)
  void aWaiterThatIsCancelledTakesNothingLater(Bench bench) throws InterruptedException {
    String name = bench.name();
    String holder = bench.owner();
    bench.node().granted(name, holder, LONG);
    Wiretap wire = new Wiretap();
    CompletableFuture<Lease> future =
        bench.client().lease(LONG).tap(wire).open().lock(name).acquireAsync(LONG);
    Waiting.until("the waiter has asked", bench.tolerance(), () -> !wire.grantReplies().isEmpty());
    Waiting.pause(MOMENT);
    cancel(future);
    bench.node().release(name, holder);
    Waiting.always(
        "a waiter that was cancelled takes nothing", MOMENT, () -> !bench.node().isHeld(name));
  }

  private static void cancel(CompletableFuture<Lease> future) {
    Expect.that(future.cancel(true), "a future that waits for a lock must be cancellable");
    Expect.that(future.isCancelled(), "a future that was cancelled must say so");
  }

  private static void expectFree(Bench bench, String name) throws InterruptedException {
    Waiting.until(
        "what was granted to a cancelled call is released",
        bench.tolerance(),
        () -> !bench.node().isHeld(name));
    Waiting.always("it stays released", MOMENT, () -> !bench.node().isHeld(name));
  }
}
