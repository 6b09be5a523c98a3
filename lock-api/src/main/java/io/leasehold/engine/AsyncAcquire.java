package io.leasehold.engine;

import io.leasehold.Lease;
import io.leasehold.LockClosedException;
import io.leasehold.LockException;
import io.leasehold.LockListener.AcquireCall;
import io.leasehold.spi.Expired;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.Scheduler;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Acquires without a thread: each step is taken by whoever brings the news (an answer, a timer, a
 * wake-up, a cancellation). {@link Phase} says whose turn it is; a step is taken only by the one
 * who moves it.
 */
final class AsyncAcquire extends Place {

  private enum Phase {
    WAITING,
    ASKING,
    DONE
  }

  private final Engine engine;
  private final Acquisition call;
  private final CompletableFuture<Lease> future = new CompletableFuture<>();
  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.ASKING);
  private volatile @Nullable Runnable abandonAttempt;
  private volatile Scheduler.@Nullable Task deadlineTask;
  private volatile Scheduler.@Nullable Task turnTask;
  private volatile @Nullable Line joined;
  private int expiries;

  private AsyncAcquire(Acquisition call) {
    this.engine = call.engine;
    this.call = call;
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
    Line line = engine.lines.join(call.lock.fullName(), this);
    joined = line;
    if (!line.isFront(this)) {
      waits();
    }
    phase.set(Phase.WAITING);
    look();
  }

  /** The call has to wait: behind others, or for a holder. */
  private void waits() {
    call.waiting();
    if (deadlineTask == null) {
      deadlineTask =
          engine.scheduler.schedule(
              this::look, call.deadlineNanos() - engine.time.monotonicNanos());
    }
  }

  @Override
  void woken() {
    if (phase.get() == Phase.WAITING) {
      call.events.woken();
    }
  }

  /** Takes the turn when it has come; otherwise sees to it that somebody looks again. */
  @Override
  void look() {
    Line line = joined;
    if (line == null || phase.get() != Phase.WAITING) {
      return;
    }
    if (engine.isClosed()) {
      fail(Phase.WAITING, new LockClosedException());
      return;
    }
    long turn = line.turnNanos(this);
    if (call.isOver()) {
      GrantReply last = line.lastReply();
      if (!call.knowsNothing(last)) {
        outOfTime(last);
      } else if (phase.compareAndSet(Phase.WAITING, Phase.ASKING)) {
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
    } else if (phase.compareAndSet(Phase.WAITING, Phase.ASKING)) {
      ask();
    }
  }

  /** Sends an attempt. Only for whoever has moved the phase to ASKING. */
  private void ask() {
    if (engine.isClosed()) {
      fail(Phase.ASKING, new LockClosedException());
      return;
    }
    Line line = joined;
    engine.workBegins();
    // In this order: a watch that begins in between counts as a wake-up that came later.
    long wakeUps = line == null ? 0 : line.wakeUps();
    Attempt attempt = call.attempt(line == null ? Queueing.NONE : line.queueing(), wakeUps);
    AtomicBoolean answered = new AtomicBoolean();
    CompletionStage<GrantReply> stage =
        Safely.call(() -> engine.node.grant(attempt.request()), failed -> failed);
    abandonAttempt = () -> attempt.abandon(engine, stage);
    if (phase.get() == Phase.DONE) {
      attempt.abandon(engine, stage); // cancelled while it was being sent
    }
    Scheduler.Task silence =
        stage.toCompletableFuture().isDone()
            ? () -> {}
            : engine.scheduler.schedule(
                () -> {
                  if (answered.compareAndSet(false, true)) {
                    attempt.abandon(engine, stage);
                    answer(
                        attempt,
                        new Failed(FailureKind.TIMEOUT, "no answer within the command timeout"));
                  }
                },
                engine.patienceNanos());
    stage.whenComplete(
        (reply, impossible) -> {
          if (answered.compareAndSet(false, true)) {
            silence.cancel();
            answer(attempt, reply);
          }
        });
  }

  private void answer(Attempt attempt, GrantReply reply) {
    try {
      if (phase.get() == Phase.DONE) {
        return; // cancelled: the attempt has been abandoned, a grant included
      }
      Line line = joined;
      if (line != null) {
        call.troubleIn(line);
      }
      Verdict verdict = call.judge(attempt, reply, line != null && line.isWatching());
      if (verdict instanceof Verdict.Won won) {
        if (line != null) {
          line.won(call.lock.terms(), attempt.wakeUpsBefore());
        }
        win(won.lease());
      } else if (verdict instanceof Verdict.GiveUp giveUp) {
        fail(Phase.ASKING, giveUp.why());
      } else {
        retry((Verdict.Retry) verdict, attempt);
      }
    } finally {
      engine.workEnds();
    }
  }

  private void retry(Verdict.Retry retry, Attempt attempt) {
    Line line = joined;
    if (line == null) { // it does not wait, or not any more
      if (retry.because() instanceof Expired && ++expiries <= 2) {
        ask();
      } else if (phase.compareAndSet(Phase.ASKING, Phase.WAITING)) {
        outOfTime(retry.because());
      }
      return;
    }
    waits();
    line.retryAt(retry.atNanos(), attempt.wakeUpsBefore(), retry.because());
    line.watchOnce();
    if (phase.compareAndSet(Phase.ASKING, Phase.WAITING)) {
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

  private void win(HeldLease lease) {
    if (!phase.compareAndSet(Phase.ASKING, Phase.DONE)) {
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
    fail(Phase.WAITING, unavailable != null ? unavailable : call.timeout());
  }

  private void fail(Phase from, LockException why) {
    if (phase.compareAndSet(from, Phase.DONE)) {
      leaveLine();
      call.events.failed(why);
      complete(() -> future.completeExceptionally(why));
    }
  }

  /** The caller has cancelled the future, or completed it some other way: give up cleanly. */
  private void completedByCaller() {
    Phase before = phase.getAndSet(Phase.DONE);
    if (before == Phase.DONE) {
      return; // we completed it ourselves
    }
    leaveLine();
    Runnable abandon = abandonAttempt;
    if (before == Phase.ASKING && abandon != null) {
      abandon.run();
    }
    call.events.failed(new CancellationException("cancelled by the caller"));
  }

  private void leaveLine() {
    cancel(deadlineTask);
    cancel(turnTask);
    Line line = joined;
    if (line != null) {
      engine.lines.leave(call.lock.fullName(), line, this);
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
