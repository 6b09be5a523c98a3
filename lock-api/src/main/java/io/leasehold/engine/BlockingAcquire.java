package io.leasehold.engine;

import io.leasehold.LockClosedException;
import io.leasehold.LockException;
import io.leasehold.LockListener.AcquireCall;
import io.leasehold.spi.Expired;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Acquires on the caller's thread, which does the sending and the waiting itself. */
final class BlockingAcquire extends Place {
  private final Engine engine;
  private final boolean interruptible;
  private final Thread thread = Thread.currentThread();
  private volatile boolean looked;
  private @Nullable Attempt servedAttempt; // guarded by the state SERVED
  private @Nullable Granted servedGrant;
  private boolean interruptedMeanwhile;

  private BlockingAcquire(Acquisition call, boolean interruptible) {
    super(call);
    this.engine = call.engine;
    this.interruptible = interruptible;
  }

  /** Waits for the lock; null when it was busy until the end. */
  static @Nullable HeldLease interruptibly(EngineLock lock, long waitNanos, long troubleNanos)
      throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Acquisition call = start(lock, waitNanos, troubleNanos);
    return new BlockingAcquire(call, true).run();
  }

  /** Waits for the lock, whether or not the thread is interrupted; the flag is kept. */
  static @Nullable HeldLease uninterruptibly(EngineLock lock, long waitNanos, long troubleNanos) {
    Acquisition call = start(lock, waitNanos, troubleNanos);
    boolean interrupted = Thread.interrupted();
    BlockingAcquire acquire = new BlockingAcquire(call, false);
    try {
      return acquire.run();
    } catch (InterruptedException e) {
      throw new AssertionError("not interruptible", e);
    } finally {
      if (interrupted || acquire.interruptedMeanwhile) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static Acquisition start(EngineLock lock, long waitNanos, long troubleNanos) {
    lock.engine().ensureOpen();
    return new Acquisition(lock, waitNanos, troubleNanos, AcquireCall.Mode.BLOCKING);
  }

  private @Nullable HeldLease run() throws InterruptedException {
    engine.workBegins(); // close() waits until this call has said how it ended
    HeldLease lease = null;
    try {
      lease = call.waits() ? waiting() : once();
      if (lease == null && call.events.heard()) {
        call.events.failed(call.timeout());
      }
      return lease;
    } catch (RuntimeException | Error | InterruptedException e) {
      call.events.failed(e);
      throw e;
    } finally {
      if (lease == null) {
        call.gaveUp();
      }
      engine.workEnds();
    }
  }

  /** One attempt; only a wrong idea of the server's clock is worth another one at once. */
  private @Nullable HeldLease once() throws InterruptedException {
    for (int tries = 0; ; tries++) {
      Verdict verdict = ask(null, 0);
      if (verdict instanceof Verdict.Won won) {
        return won.lease();
      }
      if (verdict instanceof Verdict.GiveUp giveUp) {
        throw giveUp.why();
      }
      Verdict.Retry retry = (Verdict.Retry) verdict;
      boolean again = retry.because() instanceof Expired && tries < 2;
      if (!again) {
        LockException unavailable = call.outOfTime(retry.because());
        if (unavailable != null) {
          throw unavailable;
        }
        return null;
      }
    }
  }

  /** Stands in line: a lock that nobody of this client waits for has a line of one. */
  private @Nullable HeldLease waiting() throws InterruptedException {
    Line line = engine.lines.join(call.lock, this);
    HeldLease lease;
    try {
      lease = inLine(line);
    } finally {
      engine.lines.leave(call.lock, line, this);
    }
    if (lease != null) {
      return lease;
    }
    GrantReply last = line.lastReply();
    if (call.knowsNothing(last)) {
      return once();
    }
    LockException unavailable = call.outOfTime(last);
    if (unavailable != null) {
      throw unavailable;
    }
    return null;
  }

  /** Asks whenever it is this call's turn, unless it is served; null when its time is over. */
  private @Nullable HeldLease inLine(Line line) throws InterruptedException {
    if (!call.isFair()) {
      if (!line.isFront(this)) {
        call.waiting();
      }
      move(State.ASKING, State.WAITING);
    }
    while (state() == State.ASKING || awaitTurn(line)) { // a fair call asks, wherever it stands
      long wakeUps = line.wakeUps();
      call.troubleIn(line);
      boolean served = state() == State.SERVED;
      Verdict verdict = served ? served(line) : ask(line, wakeUps);
      if (verdict instanceof Verdict.Won won) {
        line.won(won.lease());
        return won.lease();
      }
      if (served) {
        line.noLongerHeld();
      }
      if (verdict instanceof Verdict.GiveUp giveUp) {
        throw giveUp.why();
      }
      Verdict.Retry retry = (Verdict.Retry) verdict;
      call.waiting();
      line.refused(this, retry, wakeUps);
      line.watchOnce();
      move(served ? State.SERVED : State.ASKING, State.WAITING);
    }
    return null;
  }

  /**
   * Waits until this call has been served, or is in front and its time to ask has come; false when
   * time is over.
   */
  private boolean awaitTurn(Line line) throws InterruptedException {
    while (true) {
      looked = false;
      if (state() == State.SERVED) {
        return true;
      }
      if (engine.isClosed() && giveUp()) {
        throw new LockClosedException();
      }
      if (Thread.interrupted()) {
        if (!interruptible) {
          interruptedMeanwhile = true;
        } else if (giveUp()) {
          throw new InterruptedException();
        } else {
          thread.interrupt(); // served at the same moment
        }
      }
      // What is under way when the time is over is waited for, as a request of its own would be.
      if (call.isOver() && move(State.WAITING, State.DONE)) {
        return false;
      }
      long now = engine.time.monotonicNanos();
      long turn = line.turnNanos(this);
      if (turn != Long.MAX_VALUE && turn - now <= 0 && move(State.WAITING, State.ASKING)) {
        return true;
      }
      long pause = call.isOver() ? engine.patienceNanos() : call.deadlineNanos() - now;
      if (turn != Long.MAX_VALUE && turn - now > 0) {
        pause = Math.min(pause, turn - now);
      }
      if (!looked) {
        LockSupport.parkNanos(this, Math.max(1, pause));
      }
    }
  }

  /** Ends this call; false when it has been served, so that it must look at that first. */
  private boolean giveUp() {
    return move(State.WAITING, State.DONE) || move(State.PROMISED, State.DONE);
  }

  @Override
  boolean serve(Attempt attempt, Granted granted) {
    servedAttempt = attempt;
    servedGrant = granted;
    if (!move(State.PROMISED, State.SERVED)) {
      return false;
    }
    look();
    return true;
  }

  private Verdict served(Line line) {
    return call.judge(
        Objects.requireNonNull(servedAttempt),
        Objects.requireNonNull(servedGrant),
        line.isWatching());
  }

  @Override
  void woken() {
    call.events.woken();
  }

  @Override
  void look() {
    looked = true;
    LockSupport.unpark(thread);
  }

  /**
   * Asks the server.
   *
   * @param line the line in which this call waits; null when it does not
   */
  private Verdict ask(@Nullable Line line, long wakeUps) throws InterruptedException {
    Attempt attempt = call.attempt(wakeUps);
    GrantRequest request = call.request(attempt, line);
    CompletableFuture<GrantReply> stage =
        Safely.begin(() -> call.lock.facet().direct.grant(request));
    GrantReply reply;
    try {
      reply =
          interruptible
              ? BlockingCalls.await(stage, engine, failed -> failed)
              : BlockingCalls.awaitUninterruptibly(() -> stage, engine, failed -> failed);
    } catch (InterruptedException e) {
      attempt.abandon(stage);
      throw e;
    }
    if (!stage.isDone()) {
      attempt.abandon(stage); // silent beyond its time: a grant may still come
    }
    if (interruptible && Thread.interrupted()) { // inside a command of a node that blocks
      attempt.release();
      throw new InterruptedException();
    }
    return call.judge(attempt, reply, line != null && line.isWatching());
  }
}
