package io.leasehold.engine;

import io.leasehold.spi.Failed;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.TransferRequest;
import java.util.concurrent.CompletionStage;

/**
 * One request for a lock, and when it was sent.
 *
 * @param lock the lock that is asked for
 * @param owner the owner id of this attempt alone
 * @param proposal the fencing token that it proposes
 * @param sentNanos the monotonic clock before it was sent
 * @param sentWallMillis the wall clock at the same moment
 * @param wakeUpsBefore how many wake-ups the line had had by then
 * @param keptNanos since when this client has had the lock, if it gets it: its calls may have
 *     handed it around
 */
record Attempt(
    EngineLock lock,
    String owner,
    long proposal,
    long sentNanos,
    long sentWallMillis,
    long wakeUpsBefore,
    long keptNanos) {

  static Attempt now(EngineLock lock, long wakeUpsBefore) {
    Engine engine = lock.engine();
    long now = engine.time.monotonicNanos();
    return new Attempt(
        lock,
        engine.nextOwner(),
        Math.max(engine.clock.nowMicros(), lock.lastToken() + 1),
        now,
        engine.time.wallMillis(),
        wakeUpsBefore,
        now);
  }

  /** The same for a lock that this client has had since then. */
  Attempt keptSince(long nanos) {
    return new Attempt(lock, owner, proposal, sentNanos, sentWallMillis, wakeUpsBefore, nanos);
  }

  /** This attempt as a request to the server. */
  GrantRequest grant(Queueing queueing, String place) {
    Engine engine = lock.engine();
    return new GrantRequest(
        lock.fullName(),
        owner,
        lock.terms().leaseMillis(),
        proposal,
        engine.clock.deadlineIn(engine.commandNanos()),
        queueing,
        place);
  }

  /** This attempt as a hand-over by a lease of this client that ends. */
  TransferRequest transferFrom(String holder) {
    return new TransferRequest(
        lock.fullName(), holder, owner, lock.terms().leaseMillis(), proposal);
  }

  /**
   * Nobody waits for the answer any more. It may have been granted, or be granted later: release it
   * now, and once more if the answer still comes and is a grant.
   */
  void abandon(CompletionStage<GrantReply> stage) {
    release();
    stage.whenComplete(
        (reply, error) -> {
          if (reply instanceof Granted) {
            release();
          }
        });
  }

  /**
   * A transfer from this attempt to another one failed: releases what they may hold, in the
   * background. A transfer that may still arrive at the server finds the lock released: the other
   * attempt is released when this one's release has been confirmed. Released first, it would hold
   * nothing yet; the transfer could arrive next, and nothing would release what it hands over. Then
   * the calls of this client that wait ask again: a transfer that arrived late has taken the client
   * out of the waiters of the server.
   */
  void releaseAfterTransfer(Attempt to, Failed failed) {
    if (failed.kind().isAmbiguous()) {
      Engine engine = lock.engine();
      engine.background.release(
          lock,
          owner,
          () -> engine.background.release(to.lock, to.owner, () -> engine.lines.askAgain(to.lock)));
    } else {
      release();
    }
  }

  /** Releases, in the background, whatever this attempt may have been granted. */
  void release() {
    lock.engine().background.release(lock, owner);
  }
}
