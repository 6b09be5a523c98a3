package io.leasehold.engine;

import io.leasehold.Lease;
import io.leasehold.LockClosedException;
import io.leasehold.LockException;
import io.leasehold.LockListener.AcquireCall;
import io.leasehold.spi.Expired;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Scheduler;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Acquires without a thread: each step is taken by whoever brings the news (an answer, a timer, a
 * wake-up, a hand-over, a cancellation).
 */
final class AsyncAcquire extends Place {
  private final Engine engine;
  private final CompletableFuture<Lease> future = new CompletableFuture<>();
  private volatile @Nullable Runnable abandonAttempt;
  private volatile Scheduler.@Nullable Task deadlineTask;
  private volatile Scheduler.@Nullable Task turnTask;
  private volatile @Nullable Line joined;
  private int expiries;

  private AsyncAcquire(Acquisition call) {
    super(call);
    this.engine = call.engine;
  }

  static CompletableFuture<Lease> start(EngineLock lock, long waitNanos) {
    if (lock.engine().isClosed()) {
      return CompletableFuture.failedFuture(new LockClosedException());
    }
    Acquisition call = new Acquisition(lock, waitNanos, waitNanos, AcquireCall.Mode.ASYNC);
    AsyncAcquire acquire = new AsyncAcquire(call);
    acquire.begin();
    return acquire.future;
  }

  private void begin() {
    CompletionStage<Lease> completion = future;
    completion.whenComplete((lease, error) -> completedByCaller());
    if (!call.waits()) {
      ask();
      return;
    }
    Line line = join();
    if (call.isFair()) {
      ask(); // wherever it stands in line: the order is the server's
      return;
    }
    if (!line.isFront(this)) {
      waits();
    }
    if (move(State.ASKING, State.WAITING)) {
      look();
      // Not asked: another call of this client may have got the lock after the check for the front.
      State now = state();
      if (now == State.WAITING || now == State.PROMISED) {
        waits();
      }
    } else {
      leaveLine(); // cancelled meanwhile
    }
  }

  private Line join() {
    Line line = engine.lines.join(call.lock, this);
    joined = line;
    return line;
  }

  /** The call has to wait: behind others, or for a holder. Its deadline then has a timer. */
  private synchronized void waits() {
    if (state() == State.DONE) {
      return;
    }
    call.waiting();
    if (deadlineTask == null) {
      deadlineTask =
          engine.scheduler.schedule(
              this::look, call.deadlineNanos() - engine.time.monotonicNanos());
    }
  }

  @Override
  void woken() {
    if (state() == State.WAITING) {
      call.events.woken();
    }
  }

  /** Takes the turn when it has come; otherwise sees to it that somebody looks again. */
  @Override
  void look() {
    Line line = joined;
    if (line == null || state() != State.WAITING) {
      return;
    }
    if (engine.isClosed()) {
      fail(State.WAITING, new LockClosedException());
      return;
    }
    long turn = line.turnNanos(this);
    if (call.isOver()) {
      GrantReply last = line.lastReply();
      if (!call.knowsNothing(last)) {
        outOfTime(last);
      } else if (move(State.WAITING, State.ASKING)) {
        leaveLine();
        joined = null;
        ask();
      }
      return;
    }
    if (turn == Long.MAX_VALUE) {
      return; // whoever leaves the front will tell
    }
    long delay = turn - engine.time.monotonicNanos();
    if (delay > 0) {
      cancel(turnTask);
      turnTask = engine.scheduler.schedule(this::look, delay);
    } else if (move(State.WAITING, State.ASKING)) {
      ask();
    }
  }

  /** Sends an attempt. Only for whoever has moved the state to ASKING. */
  private void ask() {
    if (engine.isClosed()) {
      fail(State.ASKING, new LockClosedException());
      return;
    }
    Line line = joined;
    engine.workBegins();
    // In this order: a watch that begins in between counts as a wake-up that came later.
    long wakeUps = line == null ? 0 : line.wakeUps();
    Attempt attempt = call.attempt(wakeUps);
    GrantRequest request = call.request(attempt, line);
    AtomicBoolean answered = new AtomicBoolean();
    CompletionStage<GrantReply> stage =
        Safely.call(() -> call.lock.facet().node.grant(request), failed -> failed);
    abandonAttempt = () -> attempt.abandon(stage);
    if (state() == State.DONE) {
      attempt.abandon(stage); // cancelled while it was being sent
    }
    Scheduler.Task silence =
        stage.toCompletableFuture().isDone()
            ? () -> {}
            : engine.scheduler.schedule(
                () -> {
                  if (answered.compareAndSet(false, true)) {
                    attempt.abandon(stage);
                    answer(
                        attempt,
                        new Failed(FailureKind.TIMEOUT, "no answer within the command timeout"),
                        false);
                  }
                },
                engine.patienceNanos());
    stage.whenComplete(
        (reply, impossible) -> {
          if (answered.compareAndSet(false, true)) {
            silence.cancel();
            answer(attempt, reply, false);
          }
        });
  }

  @Override
  boolean serve(Attempt attempt, Granted granted) {
    if (!move(State.PROMISED, State.ASKING)) {
      return false;
    }
    engine.workBegins();
    answer(attempt, granted, true);
    return true;
  }

  private void answer(Attempt attempt, GrantReply reply, boolean handedOver) {
    try {
      Line line = joined;
      if (state() == State.DONE) { // cancelled: an attempt of its own has been abandoned
        if (handedOver) {
          attempt.release();
          engine.lines.changed(call.lock);
        }
        return;
      }
      if (line != null) {
        call.troubleIn(line);
      }
      Verdict verdict = call.judge(attempt, reply, line != null && line.isWatching());
      if (verdict instanceof Verdict.Won won) {
        if (line != null) {
          line.won(won.lease());
        }
        win(won.lease());
        return;
      }
      if (handedOver && line != null) {
        line.noLongerHeld();
      }
      if (verdict instanceof Verdict.GiveUp giveUp) {
        fail(State.ASKING, giveUp.why());
      } else {
        retry((Verdict.Retry) verdict, attempt);
      }
    } finally {
      engine.workEnds();
    }
  }

  private void retry(Verdict.Retry retry, Attempt attempt) {
    Line line = joined;
    if (line == null) {
      retryOnce(retry);
      return;
    }
    line.refused(this, retry, attempt.wakeUpsBefore());
    waits();
    line.watchOnce();
    if (move(State.ASKING, State.WAITING)) {
      if (engine.isClosed()) {
        look(); // the timer may be gone before it gets to it
      } else {
        // Not from here: an answer that is there at once would call us again and again.
        engine.scheduler.schedule(this::look, 0);
      }
    } else {
      leaveLine(); // cancelled meanwhile
    }
  }

  /** A call that does not wait, or not any more: only a wrong clock is worth another attempt. */
  private void retryOnce(Verdict.Retry retry) {
    if (retry.because() instanceof Expired && ++expiries <= 2) {
      ask();
    } else if (move(State.ASKING, State.WAITING)) {
      outOfTime(retry.because());
    }
  }

  private void win(HeldLease lease) {
    if (!move(State.ASKING, State.DONE)) {
      lease.abandon();
      return;
    }
    leaveLine();
    complete(
        () -> {
          if (!future.complete(lease)) {
            lease.abandon(); // cancelled at the last moment
          }
        });
  }

  private void outOfTime(@Nullable GrantReply last) {
    LockException unavailable = call.outOfTime(last);
    fail(State.WAITING, unavailable != null ? unavailable : call.timeout());
  }

  private void fail(State from, LockException why) {
    if (move(from, State.DONE)) {
      leaveLine();
      call.gaveUp();
      call.events.failed(why);
      complete(() -> future.completeExceptionally(why));
    }
  }

  /** The caller has cancelled the future, or completed it some other way: give up cleanly. */
  private void completedByCaller() {
    State before = end();
    if (before == State.DONE) {
      return; // we completed it ourselves
    }
    leaveLine();
    Runnable abandon = abandonAttempt;
    if (before == State.ASKING && abandon != null) {
      abandon.run();
    }
    call.gaveUp();
    call.events.failed(new CancellationException("cancelled by the caller"));
  }

  private void leaveLine() {
    synchronized (this) { // a timer that waits() sets is seen here, or not set
      cancel(deadlineTask);
    }
    cancel(turnTask);
    Line line = joined;
    if (line != null) {
      engine.lines.leave(call.lock, line, this);
    }
  }

  private static void cancel(Scheduler.@Nullable Task task) {
    if (task != null) {
      task.cancel();
    }
  }

  /** Completes the future where the application's actions on it block neither driver nor timer. */
  private void complete(Runnable completion) {
    try {
      engine.callbacks.execute(completion);
    } catch (RejectedExecutionException e) {
      completion.run(); // the client is closed and its threads are gone
    }
  }
}
