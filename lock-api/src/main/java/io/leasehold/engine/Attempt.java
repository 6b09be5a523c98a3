package io.leasehold.engine;

import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.TransferRequest;
import java.util.concurrent.CompletionStage;

/**
 * One request for a lock, and when it was sent; or the place of a call behind a lease of its client
 * that ends, for which nothing was sent.
 *
 * @param lock the lock that is asked for
 * @param owner the owner id of this attempt alone, or of the one that it was {@link #passedTo
 *     passed} from
 * @param proposal the fencing token that it proposes
 * @param sentNanos the monotonic clock before it was sent
 * @param sentWallMillis the wall clock at the same moment
 * @param wakeUpsBefore how many wake-ups the line had had by then
 * @param keptNanos since when this client has had the lock, if it gets it: its calls may have
 *     handed it around
 * @param tokenBefore the last token that was used of those that are this client's while it has the
 *     lock; {@link #ONE_TOKEN} when it takes the one that it is granted
 */
record Attempt(
    EngineLock lock,
    String owner,
    long proposal,
    long sentNanos,
    long sentWallMillis,
    long wakeUpsBefore,
    long keptNanos,
    long tokenBefore) {

  /** It takes the token that is granted, and leaves none. */
  static final long ONE_TOKEN = 0;

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
        now,
        ONE_TOKEN);
  }

  /** The same for a lock that this client has had since then. */
  Attempt keptSince(long nanos) {
    return new Attempt(
        lock, owner, proposal, sentNanos, sentWallMillis, wakeUpsBefore, nanos, tokenBefore);
  }

  /** The same, for the next token of those that are this client's while it has the lock. */
  Attempt after(long token) {
    return new Attempt(
        lock, owner, proposal, sentNanos, sentWallMillis, wakeUpsBefore, keptNanos, token);
  }

  /**
   * The same for another call of this client, to which the lock goes on. Nothing is asked of the
   * server, so nothing is newer than it was: neither the owner id nor the time.
   *
   * @param next the lock, as that call has it
   * @param token the last token that was used
   */
  Attempt passedTo(EngineLock next, long token) {
    return new Attempt(
        next, owner, proposal, sentNanos, sentWallMillis, wakeUpsBefore, keptNanos, token);
  }

  /** The token of the lease that comes of this. */
  long tokenOf(Granted granted) {
    return tokenBefore == ONE_TOKEN ? granted.token() : tokenBefore + 1;
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

  /** Releases, in the background, whatever this attempt may have been granted. */
  void release() {
    lock.engine().background.release(lock, owner);
  }
}
