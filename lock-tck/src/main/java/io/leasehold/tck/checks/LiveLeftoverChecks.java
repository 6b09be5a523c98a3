package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.LIVE_A_2;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockTimeoutException;
import io.leasehold.LockUnavailableException;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.LateReplies;
import io.leasehold.tck.wire.LostReplies;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Tap;
import java.time.Duration;

/** LIVE-A-2: what an attempt that failed leaves behind, which is nothing. */
final class LiveLeftoverChecks {

  @Verifies(LIVE_A_2)
  void anAttemptWhoseReplyWasLostLeavesNothing(Bench bench) throws InterruptedException {
    expectNothingLeft(bench, new LostReplies(Operation.GRANT), "whose reply was lost");
  }

  @Verifies(LIVE_A_2)
  void anAttemptWhoseReplyCameTooLateLeavesNothing(Bench bench) throws InterruptedException {
    Tap late = new LateReplies(Duration.ofMillis(1_200), Operation.GRANT);
    expectNothingLeft(bench, late, "whose reply came too late");
  }

  private static void expectNothingLeft(Bench bench, Tap tap, String what)
      throws InterruptedException {
    LockClient client = bench.client().tap(tap).open();
    String name = bench.name();
    try {
      client.lock(name).tryAcquire().ifPresent(Lease::close);
    } catch (LockUnavailableException e) {
      // It failed. Whether it must is another check's business.
    }
    SyncNode node = bench.node();
    Waiting.until(
        "an attempt " + what + " has left nothing",
        bench.within(Duration.ofSeconds(2)),
        () -> !node.isHeld(name));
  }

  @Verifies(LIVE_A_2)
  void aWaiterThatGaveUpLeavesNothing(Bench bench) throws InterruptedException {
    SyncNode node = bench.node();
    String name = bench.name();
    String holder = bench.owner();
    node.granted(name, holder, Duration.ofSeconds(10));
    LockClient client = bench.open();
    Expect.thrown(
        LockTimeoutException.class,
        () -> client.lock(name).acquire(Duration.ofMillis(150)),
        "acquire of a lock that another holds");
    node.release(name, holder);
    Waiting.always(
        "the lock is free after its waiter gave up and its holder released it",
        Duration.ofMillis(300),
        () -> !node.isHeld(name));
  }

  @Verifies(LIVE_A_2)
  void aReleasedLockIsGone(Bench bench) throws InterruptedException {
    LockClient client = bench.open();
    String name = bench.name();
    Lease lease = client.lock(name).acquire(Duration.ofSeconds(2));
    Expect.that(bench.node().isHeld(name), "the server must know of the lock");
    lease.release();
    Expect.that(!bench.node().isHeld(name), "a lock whose release was confirmed must be gone");
  }
}
