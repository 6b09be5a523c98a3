package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.STOP_1;
import static io.leasehold.tck.Requirement.STOP_2;

import io.leasehold.Lease;
import io.leasehold.ReleaseResult;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Verifies.Needs;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.HeldReplies;
import io.leasehold.tck.wire.Operation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** STOP-1 and STOP-2: calls that end while a lock is on its way to them. */
final class StopHandoverChecks {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration COMMAND = Duration.ofSeconds(4);
  private static final Duration MOMENT = Duration.ofMillis(100);

  @Verifies(value = STOP_2, needs = Needs.TRANSFER, seconds = 40)
  void aCallThatIsCancelledWhileALockIsHandedOverToItLeavesNothing(Bench bench)
      throws InterruptedException {
    HeldReplies held = new HeldReplies(Operation.TRANSFER);
    HandingClient client = new HandingClient(bench, COMMAND, held);
    do {
      HandingClient.Handing<CompletableFuture<Lease>> handing =
          client.prepare(lock -> lock.acquireAsync(LONG));
      CompletableFuture<ReleaseResult> releasing = releasing(bench, client, handing.lease());
      handing.next().cancel(true);
      if (client.hasHandedOver()) {
        expectFree(bench, held, handing.name(), releasing);
      }
    } while (client.triesAgain());
  }

  @Verifies(value = STOP_1, needs = Needs.TRANSFER, seconds = 40)
  void aThreadThatIsInterruptedWhileALockIsHandedOverToItHoldsNothing(Bench bench)
      throws InterruptedException {
    HeldReplies held = new HeldReplies(Operation.TRANSFER);
    HandingClient client = new HandingClient(bench, COMMAND, held);
    do {
      HandingClient.Handing<Interruptee> handing =
          client.prepare(
              lock -> Interruptee.calling(bench, "acquire(Duration)", () -> lock.acquire(LONG)));
      CompletableFuture<ReleaseResult> releasing = releasing(bench, client, handing.lease());
      handing.next().interrupt();
      if (client.hasHandedOver()) {
        handing.next().expectInterrupted(bench.within(COMMAND));
        expectFree(bench, held, handing.name(), releasing);
      }
    } while (client.triesAgain());
  }

  /** Releases, and returns when the hand-over is under way or there is none. */
  private static CompletableFuture<ReleaseResult> releasing(
      Bench bench, HandingClient client, Lease lease) throws InterruptedException {
    CompletableFuture<ReleaseResult> releasing = bench.fork(lease::release);
    Waiting.until(
        "a release is under way",
        bench.within(COMMAND),
        () -> client.hasHandedOver() || releasing.isDone());
    return releasing;
  }

  private static void expectFree(
      Bench bench, HeldReplies held, String name, CompletableFuture<ReleaseResult> releasing)
      throws InterruptedException {
    held.letGo();
    Waiting.result("an end of the release", bench.within(COMMAND), releasing);
    Waiting.until(
        "what was handed over to a call that had ended is released",
        bench.within(COMMAND),
        () -> !bench.node().isHeld(name));
    Waiting.always("it stays released", MOMENT, () -> !bench.node().isHeld(name));
  }
}
