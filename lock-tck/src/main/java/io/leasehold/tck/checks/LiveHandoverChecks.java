package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.FENCE_2;
import static io.leasehold.tck.Requirement.LIVE_A_2;
import static io.leasehold.tck.Requirement.LIVE_A_9;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.LockTimeoutException;
import io.leasehold.LockUnavailableException;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.FailureKind;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Verifies.Needs;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.FailingRequests;
import io.leasehold.tck.wire.LateReplies;
import io.leasehold.tck.wire.LostReplies;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Tap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** LIVE-A-2, LIVE-A-9 and FENCE-2, where a lock goes from one call of a client to the next. */
final class LiveHandoverChecks {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration BOUND = Duration.ofSeconds(2);
  private static final Duration COMMAND = Duration.ofMillis(400);
  private static final Duration A_LITTLE = Duration.ofMillis(1);
  private static final Duration MOMENT = Duration.ofMillis(300);

  /** Short, so that a client whose wake-ups are lost asks often enough. */
  static final Duration LEASE = Duration.ofMillis(500);

  @Verifies(value = LIVE_A_9, seconds = 60)
  void aClientWithManyCallsLetsOthersIn(Bench bench) throws InterruptedException {
    expectOthersAreLetIn(bench, 4, Duration.ZERO);
  }

  /** For a moment after each hand-over no call of it waits, and then one does. */
  @Verifies(value = LIVE_A_9, seconds = 60)
  void aClientWithTwoCallsLetsOthersIn(Bench bench) throws InterruptedException {
    expectOthersAreLetIn(bench, 2, A_LITTLE);
  }

  private static void expectOthersAreLetIn(Bench bench, int callsOfOne, Duration between)
      throws InterruptedException {
    String name = bench.name();
    LockClient busy = bench.client().lease(LEASE).open();
    LockClient other = bench.client().lease(LEASE).open();
    AtomicBoolean over = new AtomicBoolean();
    List<CompletableFuture<Boolean>> calls = new ArrayList<>();
    for (int i = 0; i < callsOfOne; i++) {
      calls.add(bench.fork(() -> useAgainAndAgain(busy.lock(name), between, over)));
    }
    for (int i = 0; i < 5; i++) {
      try {
        use(other.lock(name).acquire(bench.within(BOUND)));
      } catch (LockTimeoutException e) {
        throw Expect.violation(
            "a client whose calls follow each other let no other in: " + e.getMessage());
      }
    }
    over.set(true);
    for (CompletableFuture<Boolean> call : calls) {
      Waiting.result("an end of the calls", bench.within(PATIENCE), call);
    }
  }

  private static boolean useAgainAndAgain(
      DistributedLock lock, Duration between, AtomicBoolean over) throws InterruptedException {
    while (!over.get()) {
      try {
        use(lock.acquire(PATIENCE));
        Waiting.pause(between);
      } catch (LockException e) {
        // What a busy machine does to short leases is not looked at here.
      }
    }
    return true;
  }

  private static void use(Lease lease) throws InterruptedException {
    Waiting.pause(A_LITTLE.multipliedBy(3));
    lease.close();
  }

  @Verifies(FENCE_2)
  void tokensGrowFromCallToCallOfOneClient(Bench bench) throws InterruptedException {
    String name = bench.name();
    LockClient client = bench.open();
    List<Long> tokens = new CopyOnWriteArrayList<>();
    List<CompletableFuture<Boolean>> calls = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      calls.add(bench.fork(() -> collect(client.lock(name), tokens)));
    }
    for (CompletableFuture<Boolean> call : calls) {
      Waiting.result("an end of the calls", bench.within(PATIENCE), call);
    }
    for (int i = 1; i < tokens.size(); i++) {
      Expect.that(
          tokens.get(i) > tokens.get(i - 1),
          "the token " + tokens.get(i) + " was given out after " + tokens.get(i - 1));
    }
  }

  /**
   * Takes the lock several times, and notes the token of each lease while it is held. What was lost
   * before it was noted (on a busy machine, with a short lease) stands in no order, and is left
   * out.
   */
  static boolean collect(DistributedLock lock, List<Long> tokens) throws InterruptedException {
    for (int i = 0; i < 8; i++) {
      try (Lease lease = lock.acquire(PATIENCE)) {
        Long token = lease.fencingToken();
        tokens.add(token);
        if (!lease.isHeld()) {
          tokens.remove(token);
        }
      }
    }
    return true;
  }

  /** Calls that follow each other may be so quick that none waits; here one does. */
  @Verifies(value = FENCE_2, needs = Needs.TRANSFER, seconds = 40)
  void theTokenOfALeaseThatWasHandedOverIsLarger(Bench bench) throws InterruptedException {
    HandingClient client = new HandingClient(bench, BOUND);
    do {
      HandingClient.Handing<CompletableFuture<Long>> handing =
          client.prepare(lock -> bench.fork(() -> tokenOf(lock.acquire(PATIENCE))));
      long before = tokenOf(handing.lease());
      long token = Waiting.result("the next call has had the lock", PATIENCE, handing.next());
      Expect.that(token > before, "the token " + token + " was given out after " + before);
    } while (client.triesAgain());
  }

  private static long tokenOf(Lease lease) {
    try (lease) {
      return lease.fencingToken();
    }
  }

  @Verifies(value = LIVE_A_2, needs = Needs.TRANSFER, seconds = 40)
  void aHandOverWhoseReplyWasLostLeavesNothing(Bench bench) throws InterruptedException {
    expectNothingLeft(bench, new LostReplies(Operation.TRANSFER), "whose reply was lost");
  }

  @Verifies(value = LIVE_A_2, needs = Needs.TRANSFER, seconds = 40)
  void aHandOverWhoseReplyCameTooLateLeavesNothing(Bench bench) throws InterruptedException {
    Tap late = new LateReplies(COMMAND.multipliedBy(3), Operation.TRANSFER);
    expectNothingLeft(bench, late, "whose reply came too late");
  }

  @Verifies(value = LIVE_A_2, needs = Needs.TRANSFER, seconds = 40)
  void aHandOverThatFailedLeavesNothing(Bench bench) throws InterruptedException {
    Tap failing = new FailingRequests(FailureKind.CONNECTION_LOST, Operation.TRANSFER);
    expectNothingLeft(bench, failing, "that failed");
  }

  /** Neither of the two owners keeps the lock: the next call gets it, and then it is free. */
  private static void expectNothingLeft(Bench bench, Tap tap, String what)
      throws InterruptedException {
    HandingClient client = new HandingClient(bench, COMMAND, tap);
    do {
      HandingClient.Handing<CompletableFuture<ReleaseResult>> handing =
          client.prepare(lock -> bench.fork(() -> lock.acquire(PATIENCE).release()));
      try {
        handing.lease().release();
      } catch (LockUnavailableException e) {
        // Not confirmed. Whether that is told is another check's business.
      }
      Waiting.result(
          "the next call has had the lock after a hand-over " + what,
          bench.within(BOUND),
          handing.next());
      Waiting.until(
          "a hand-over " + what + " has left nothing",
          bench.within(BOUND),
          () -> !bench.node().isHeld(handing.name()));
      Waiting.always("nor later", MOMENT, () -> !bench.node().isHeld(handing.name()));
    } while (client.triesAgain());
  }
}
