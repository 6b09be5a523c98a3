package io.leasehold.engine;

import io.leasehold.LockClosedException;
import io.leasehold.LockException;
import io.leasehold.LockListener.AcquireCall;
import io.leasehold.spi.Expired;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Queueing;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Acquires on the caller's thread, which does the sending and the waiting itself. */
final class BlockingAcquire extends Place {
  private final Engine engine;
  private final Acquisition call;
  private final boolean interruptible;
  private final Thread thread = Thread.currentThread();
  private volatile boolean looked;
  private boolean interruptedMeanwhile;

  private BlockingAcquire(Acquisition call, boolean interruptible) {
    this.engine = call.engine;
    this.call = call;
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
    try {
      HeldLease lease = call.waits() ? waiting() : once();
      if (lease == null && call.events.heard()) {
        call.events.failed(call.timeout());
      }
      return lease;
    } catch (RuntimeException | Error | InterruptedException e) {
      call.events.failed(e);
      throw e;
    } finally {
      engine.workEnds();
    }
  }

  /** One attempt; only a wrong idea of the server's clock is worth another one at once. */
  private @Nullable HeldLease once() throws InterruptedException {
    for (int tries = 0; ; tries++) {
      Verdict verdict = ask(Queueing.NONE, 0, false);
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
    String name = call.lock.fullName();
    Line line = engine.lines.join(name, this);
    HeldLease lease;
    try {
      lease = inLine(line);
    } finally {
      engine.lines.leave(name, line, this);
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

  /** Asks whenever it is this call's turn; null when its time is over. */
  private @Nullable HeldLease inLine(Line line) throws InterruptedException {
    if (!line.isFront(this)) {
      call.waiting();
    }
    while (awaitTurn(line)) {
      long wakeUps = line.wakeUps();
      call.troubleIn(line);
      Verdict verdict = ask(line.queueing(), wakeUps, line.isWatching());
      if (verdict instanceof Verdict.Won won) {
        line.won(call.lock.terms(), wakeUps);
        return won.lease();
      }
      if (verdict instanceof Verdict.GiveUp giveUp) {
        throw giveUp.why();
      }
      Verdict.Retry retry = (Verdict.Retry) verdict;
      call.waiting();
      line.retryAt(retry.atNanos(), wakeUps, retry.because());
      line.watchOnce();
    }
    return null;
  }

  /** Waits until this call is in front and its time to ask has come; false when time is over. */
  private boolean awaitTurn(Line line) throws InterruptedException {
    while (true) {
      looked = false;
      if (engine.isClosed()) {
        throw new LockClosedException();
      }
      if (Thread.interrupted()) {
        if (interruptible) {
          throw new InterruptedException();
        }
        interruptedMeanwhile = true;
      }
      if (call.isOver()) {
        return false;
      }
      long now = engine.time.monotonicNanos();
      long turn = line.turnNanos(this);
      if (turn != Long.MAX_VALUE && turn - now <= 0) {
        return true;
      }
      long pause = call.deadlineNanos() - now;
      if (turn != Long.MAX_VALUE) {
        pause = Math.min(pause, turn - now);
      }
      if (!looked) {
        LockSupport.parkNanos(this, Math.max(1, pause));
      }
    }
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

  private Verdict ask(Queueing queueing, long wakeUps, boolean watching)
      throws InterruptedException {
    Attempt attempt = call.attempt(queueing, wakeUps);
    CompletionStage<GrantReply> stage =
        Safely.call(() -> engine.direct.grant(attempt.request()), failed -> failed);
    GrantReply reply;
    try {
      reply =
          interruptible
              ? BlockingCalls.await(stage, engine, failed -> failed)
              : BlockingCalls.awaitUninterruptibly(() -> stage, engine, failed -> failed);
    } catch (InterruptedException e) {
      attempt.abandon(engine, stage);
      throw e;
    }
    if (!stage.toCompletableFuture().isDone()) {
      attempt.abandon(engine, stage); // silent beyond its time: a grant may still come
    }
    if (interruptible && Thread.interrupted()) { // inside a command of a node that blocks
      attempt.release(engine);
      throw new InterruptedException();
    }
    return call.judge(attempt, reply, watching);
  }
}
