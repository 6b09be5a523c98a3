package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.SAFE_12;
import static io.leasehold.tck.Requirement.SAFE_4;

import io.leasehold.DistributedLock;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockException;
import io.leasehold.LockUnavailableException;
import io.leasehold.spi.FailureKind;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.FailingRequests;
import io.leasehold.tck.wire.LostReplies;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Tap;
import java.time.Duration;

/** SAFE-4 and SAFE-12: what must never be taken for a lock. */
final class SafeFailureChecks {
  private static final Duration WAIT = Duration.ofMillis(300);

  @Verifies(SAFE_4)
  void aReplicaCannotBeOpened(Bench bench) {
    String url = bench.subject().replicaUrl().get();
    LockException refusal =
        Expect.thrown(
            LockException.class,
            () -> bench.client().url(url).open(),
            "opening a client on a replica");
    boolean misconfigured = // a quorum whose set-up is wrong
        bench.subject().quorum().isPresent() && refusal instanceof LockConfigurationException;
    Expect.that(
        misconfigured || refusal instanceof LockUnavailableException,
        "opening a client on a replica must throw LockUnavailableException, and threw " + refusal);
  }

  @Verifies(SAFE_12)
  void aLostReplyIsNoLease(Bench bench) {
    expectUnavailable(bench, new LostReplies(Operation.GRANT), "with its reply lost");
  }

  @Verifies(SAFE_12)
  void anErrorIsNoLease(Bench bench) {
    expectUnavailable(
        bench,
        new FailingRequests(FailureKind.OUT_OF_MEMORY, Operation.GRANT),
        "with a server that is out of memory");
  }

  private static void expectUnavailable(Bench bench, Tap tap, String how) {
    DistributedLock lock = bench.client().tap(tap).open().lock(bench.name());
    Expect.thrown(LockUnavailableException.class, lock::tryAcquire, "tryAcquire " + how);
    Expect.thrown(LockUnavailableException.class, () -> lock.acquire(WAIT), "acquire " + how);
    Expect.thrown(
        LockUnavailableException.class,
        () -> Waiting.result("an end", bench.within(WAIT), lock.acquireAsync(WAIT)),
        "acquireAsync " + how);
  }
}
