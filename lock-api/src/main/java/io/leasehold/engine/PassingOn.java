package io.leasehold.engine;

import io.leasehold.spi.Granted;
import io.leasehold.spi.ServerClock;

/**
 * A lock that goes on to the next call of a client without asking the server. For others that is no
 * more than a holder who takes a little longer: the next lease ends no later than the one before it
 * would have, and has the next of the tokens that are this client's alone. Why that is enough is in
 * docs/adr/0012-passing-on.md.
 *
 * @param attempt what was asked of the server
 * @param grant what it answered
 * @param token the last token that was used of those that came with it
 */
record PassingOn(Attempt attempt, Granted grant, long token) {
  /** How old what the server has granted may be. */
  private static final long MOST_NANOS = 5_000_000L;

  /** What part of a lease, or of the longest hold, may be over: the next one is as good as new. */
  private static final long PART = 20;

  /** Whether there is a token left for the next call, and a lease that is as good as new. */
  boolean mayGoTo(Place next, long nowNanos) {
    Terms terms = next.call.lock.terms();
    long leaseMillis = attempt.lock().terms().leaseMillis();
    long shortest = Math.min(leaseMillis * 1_000_000L, terms.maxHoldNanos());
    return token < grant.token()
        && terms.leaseMillis() == leaseMillis
        && nowNanos - attempt.sentNanos() < Math.min(MOST_NANOS, shortest / PART);
  }

  /** Gives it to the next call; false when that has ended meanwhile, and nothing has happened. */
  boolean to(Place next) {
    return next.serve(attempt.passedTo(next.call.lock, token), passed());
  }

  /** What was granted, as it goes on: no message was sent for it, and its clock is an old one. */
  private Granted passed() {
    return grant.rounds() == 0
        ? grant
        : new Granted(
            grant.token(),
            ServerClock.UNKNOWN,
            0,
            grant.answers(),
            grant.othersWaiting(),
            grant.lowest());
  }
}
