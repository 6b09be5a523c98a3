package io.leasehold.engine;

import io.leasehold.LockClosedException;
import io.leasehold.LockException;
import io.leasehold.LockListener.AcquireCall;
import io.leasehold.LockObserver.AttemptOutcome;
import io.leasehold.LockTimeoutException;
import io.leasehold.LossReason;
import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.Printable;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ServerClock;
import io.leasehold.spi.Validity;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of one call that acquires: what to send, what an answer means, when to ask again,
 * what to say in the end. It has no thread and sends nothing itself; {@link BlockingAcquire} and
 * {@link AsyncAcquire} do that, in their two ways. Used by one thread at a time.
 */
final class Acquisition {
  /** Nobody wakes us when a guarded server is vouched for. */
  private static final long GUARD_LEAST = 1_000_000_000L;

  private static final long GUARD_MOST = 2_000_000_000L;

  /** With wake-ups, asking again is only for those that the network lost. */
  private static final long POLL_LEAST = 15_000_000_000L;

  private static final long POLL_MOST = 20_000_000_000L;

  /** A server may say anything: an hour in milliseconds, so that nothing overflows. */
  private static final long HINT_MOST = 3_600_000L;

  private static final long BACKOFF_FIRST = 10_000_000L;
  private static final long BACKOFF_MOST = 250_000_000L;

  private static final GrantReply NO_ANSWER = new Failed(FailureKind.TIMEOUT, "no answer yet");

  final Engine engine;
  final EngineLock lock;
  final CallEvents events;
  private final long startNanos;
  private final long waitNanos;
  private final long troubleNanos;
  private GrantReply lastReply = NO_ANSWER;
  private volatile String place = GrantRequest.NO_PLACE; // read by whoever cancels
  private boolean told;
  private boolean asked;
  private int refusals;
  private int expiries;
  private long troubleSince = Long.MAX_VALUE;

  /**
   * @param waitNanos how long the caller waits
   * @param troubleNanos how long unavailable servers are tolerated, within that
   */
  Acquisition(EngineLock lock, long waitNanos, long troubleNanos, AcquireCall.Mode mode) {
    this.engine = lock.engine();
    this.lock = lock;
    this.waitNanos = waitNanos;
    this.troubleNanos = troubleNanos;
    this.startNanos = engine.time.monotonicNanos();
    this.events = engine.start(lock, waitNanos, mode);
  }

  /** The moment after which no attempt begins. */
  long deadlineNanos() {
    return startNanos + waitNanos;
  }

  boolean waits() {
    return waitNanos > 0;
  }

  boolean isOver() {
    return engine.time.monotonicNanos() - deadlineNanos() >= 0;
  }

  /**
   * Whether a call whose time is over knows nothing: it has not asked, and nobody before it in line
   * has been answered. It asks once then, out of turn: every call gets an answer of some kind.
   */
  boolean knowsNothing(@Nullable GrantReply inLine) {
    return inLine == null && !asked;
  }

  /** The call has to wait; told once. */
  void waiting() {
    if (!told) {
      told = true;
      events.waiting();
    }
  }

  /** The next attempt, with an owner id of its own. */
  Attempt attempt(long wakeUpsBefore) {
    asked = true;
    return Attempt.now(lock, wakeUpsBefore);
  }

  /**
   * The attempt as a request to the server.
   *
   * @param line the line in which the call waits; null before it does
   */
  GrantRequest request(Attempt attempt, @Nullable Line line) {
    if (!isFair()) {
      return attempt.grant(line == null ? Queueing.NONE : line.queueing(), GrantRequest.NO_PLACE);
    }
    if (waits() && place.isEmpty()) {
      place = engine.nextPlace();
    }
    return attempt.grant(Queueing.FAIR, place);
  }

  /** Whether the call asks wherever it stands in line, because the order is the server's. */
  boolean isFair() {
    return lock.terms().fair();
  }

  /** The call ends without the lock: nobody shall wait for its turn in a fair line. */
  void gaveUp() {
    if (!place.isEmpty()) {
      engine.leaveFairLine(lock.fullName(), place);
    }
  }

  /**
   * What an answer means.
   *
   * @param watching whether a release elsewhere will wake this call
   */
  Verdict judge(Attempt attempt, GrantReply reply, boolean watching) {
    lastReply = reply;
    if (reply instanceof ServerClock known) {
      engine.clock.learn(known);
    }
    if (reply instanceof Granted granted) {
      return granted(attempt, granted);
    }
    if (reply instanceof Failed failed && failed.kind().isAmbiguous()) {
      attempt.release();
    }
    if (engine.isClosed()) {
      return new Verdict.GiveUp(new LockClosedException());
    }
    tell(reply);
    if (reply instanceof Busy busy) {
      troubleSince = Long.MAX_VALUE;
      return new Verdict.Retry(busyUntil(busy, watching), busy);
    }
    long now = engine.time.monotonicNanos();
    if (reply instanceof Expired) {
      // Our idea of the server's clock was wrong, and has just been put right.
      return new Verdict.Retry(now + (++expiries <= 3 ? 0 : backoff()), reply);
    }
    if (reply instanceof Guarded guarded) {
      long end = now + Math.max(1, Math.min(HINT_MOST, guarded.remainingMillis())) * 1_000_000L;
      return trouble(reply, Math.min(end, now + engine.jitter(GUARD_LEAST, GUARD_MOST)));
    }
    Failed failed = (Failed) reply;
    return failed.kind().isTransient()
        ? trouble(reply, now + backoff())
        : new Verdict.GiveUp(unavailable(failed));
  }

  private Verdict granted(Attempt attempt, Granted granted) {
    Terms terms = lock.terms();
    Validity validity =
        new Validity(attempt.sentNanos(), attempt.sentWallMillis(), terms.leaseMillis());
    if (lock.facet().fencing
        && (granted.token() <= 0 || granted.token() > GrantRequest.NO_DEADLINE)) {
      attempt.release();
      return new Verdict.GiveUp(
          unavailable(new Failed(FailureKind.PROTOCOL, "a token outside of (0, 2^53)")));
    }
    lock.sawToken(granted.token());
    if (engine.isClosed()) {
      attempt.release();
      return new Verdict.GiveUp(new LockClosedException());
    }
    HeldLease lease = new HeldLease(engine, attempt, granted, terms, validity, events);
    if (lease.isSpent()) {
      attempt.release();
      events.attempted(
          AttemptOutcome.TOO_LATE, Answers.of(engine.direct.label(), (GrantReply) granted));
      return trouble(
          new Failed(FailureKind.TIMEOUT, "the grant came when its validity was spent"),
          engine.time.monotonicNanos() + backoff());
    }
    events.acquired(lease.token(), granted.rounds(), granted.answers()); // before it can end
    engine.keeper.add(lease);
    if (engine.isClosed()) { // closed between the two looks: close() may not have seen this lease
      lease.lose(LossReason.CLIENT_CLOSED);
      return new Verdict.GiveUp(new LockClosedException());
    }
    return new Verdict.Won(lease);
  }

  private long busyUntil(Busy busy, boolean watching) {
    long now = engine.time.monotonicNanos();
    long poll = watching ? engine.jitter(POLL_LEAST, POLL_MOST) : backoff();
    if (busy.remainingMillis() < 0) {
      return now + poll;
    }
    // A little after the key ends, and not all at the same moment.
    long hint =
        Math.min(HINT_MOST, busy.remainingMillis()) * 1_000_000L
            + engine.jitter(1_000_000L, 5_000_000L);
    return now + Math.min(hint, poll);
  }

  /** What others of this client found out while this call stood in line behind them counts too. */
  void troubleIn(Line line) {
    long since = line.troubleSince();
    if (since != Long.MAX_VALUE && troubleSince == Long.MAX_VALUE) {
      troubleSince = since - startNanos > 0 ? since : startNanos;
    }
  }

  /** Unavailable: go on trying while the caller, and our own patience, last. */
  private Verdict trouble(GrantReply reply, long retryNanos) {
    long now = engine.time.monotonicNanos();
    if (troubleSince == Long.MAX_VALUE) {
      troubleSince = now;
    }
    return now - troubleSince >= troubleNanos
        ? new Verdict.GiveUp(unavailable(reply))
        : new Verdict.Retry(retryNanos, reply);
  }

  private long backoff() {
    long most = Math.min(BACKOFF_MOST, BACKOFF_FIRST << Math.min(10, refusals++));
    return engine.jitter(most / 2, most);
  }

  private void tell(GrantReply reply) {
    if (events.heard()) {
      AttemptOutcome outcome =
          reply instanceof Busy
              ? AttemptOutcome.BUSY
              : reply instanceof Guarded
                  ? AttemptOutcome.GUARDED
                  : reply instanceof Expired ? AttemptOutcome.EXPIRED : AttemptOutcome.FAILED;
      events.attempted(outcome, Answers.of(engine.direct.label(), reply));
    }
  }

  /**
   * The time is over. Busy is an outcome of its own; anything else that the last answer said, also
   * when another call of this client got it, means unavailable. So does no answer at all.
   *
   * @param inLine the last answer that somebody in line got; null when there is none yet
   * @return null when the lock was busy
   */
  @Nullable LockException outOfTime(@Nullable GrantReply inLine) {
    GrantReply last = inLine != null ? inLine : lastReply;
    return last instanceof Busy ? null : unavailable(last);
  }

  LockTimeoutException timeout() {
    return timeout(lock.name(), waitNanos);
  }

  static LockTimeoutException timeout(String name, long waitNanos) {
    return new LockTimeoutException(name, Duration.ofNanos(waitNanos));
  }

  private LockException unavailable(GrantReply reply) {
    return Answers.unavailable(
        "The lock '" + Printable.of(lock.name()) + "' is unavailable",
        engine.direct.label(),
        reply);
  }
}
