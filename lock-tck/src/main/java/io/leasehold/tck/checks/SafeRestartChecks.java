package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.SAFE_14;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Capability;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.Released;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import java.time.Duration;

/**
 * SAFE-14: locks and tokens survive a restart of the servers. The client that asks after the
 * restart is new: whether an old one reconnects is LIVE-B-6.
 */
final class SafeRestartChecks {
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final Duration RECOVERY = Duration.ofSeconds(3);

  /** The first token lies ahead of the clock, so that a forgotten fence yields a smaller one. */
  private static final long AHEAD_MICROS = 3_000_000;

  /** A proposal that must not be taken, so that the next token depends on the fence alone. */
  private static final long TOO_FAR_MICROS = 3_600_000_000L;

  @Verifies(value = SAFE_14, seconds = 120)
  void aLockAndItsTokenSurviveARestart(Bench bench) throws InterruptedException {
    String name = bench.name();
    String owner = bench.owner();
    SyncNode before = bench.newNode();
    long proposal = before.serverMicros() + AHEAD_MICROS;
    long since = System.nanoTime();
    long token = before.granted(SyncNode.request(name, owner, TTL, proposal)).token();
    bench.restartWithoutVouching();

    SyncNode node = bench.newNodeWithin(RECOVERY);
    boolean guarded = node.has(Capability.GUARD);
    GrantReply reply = strangersGrant(bench, node, name);
    expectLasting(since);
    Expect.that(
        reply instanceof Busy || (guarded && reply instanceof Guarded),
        "after a restart, the reply to a stranger's grant of a lock with a lease of 30 s must be "
            + (guarded ? "Busy or Guarded" : "Busy, because the node does not declare GUARD")
            + ", and is "
            + SyncNode.shown(reply));
    if (guarded) {
      bench.vouch();
      if (!(strangersGrant(bench, node, name) instanceof Busy)) {
        return; // the servers lost the lock, and the guard would have kept others out in time
      }
    }
    Expect.type(
        Released.class,
        SafeGuardChecks.settled(bench, () -> node.release(name, owner)),
        "the reply to the holder's release after a restart");
    if (node.has(Capability.FENCING)) {
      long tooFar = node.serverMicros() + TOO_FAR_MICROS;
      long next = node.granted(SyncNode.request(name, bench.owner(), TTL, tooFar)).token();
      Expect.that(next >= token, "after a restart the token fell from " + token + " to " + next);
    }
  }

  private static GrantReply strangersGrant(Bench bench, SyncNode node, String name)
      throws InterruptedException {
    return SafeGuardChecks.settled(bench, () -> node.grant(name, bench.owner(), TTL));
  }

  private static void expectLasting(long sinceNanos) {
    long took = System.nanoTime() - sinceNanos;
    if (took >= TTL.toNanos()) {
      throw new IllegalStateException(
          "restart() took longer than a lease of 30 s, so that nothing can be judged");
    }
  }
}
