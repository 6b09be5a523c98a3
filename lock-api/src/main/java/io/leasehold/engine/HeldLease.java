package io.leasehold.engine;

import io.leasehold.Lease;
import io.leasehold.LeaseLoss;
import io.leasehold.LeaseLostException;
import io.leasehold.LockCapabilityException;
import io.leasehold.LockException;
import io.leasehold.LossReason;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.Granted;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Printable;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.ServerClock;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.Validity;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A lease, as the engine keeps it. {@link LeaseState} decides who ends it. */
final class HeldLease extends DeadlineHeap.Entry implements Lease {
  private final Engine engine;
  private final EngineLock lock;
  private final Attempt attempt;
  private final Granted grant;
  private final long token;
  private final Terms terms;
  private final CallEvents events;
  private final LeaseState state = new LeaseState();
  private final long holdEndNanos;
  private volatile Validity validity;
  private volatile @Nullable CompletableFuture<ReleaseResult> ending;

  HeldLease(
      Engine engine,
      Attempt attempt,
      Granted grant,
      Terms terms,
      Validity validity,
      CallEvents events) {
    this.engine = engine;
    this.lock = attempt.lock();
    this.attempt = attempt;
    this.grant = grant;
    this.token = grant.token();
    this.terms = terms;
    this.validity = validity;
    this.events = events;
    this.holdEndNanos =
        terms.maxHoldNanos() == Terms.NO_MAX_HOLD
            ? validity.sentNanos() + Nanos.FOREVER
            : validity.sentNanos() + terms.maxHoldNanos();
  }

  @Override
  public String lockName() {
    return lock.name();
  }

  @Override
  public long fencingToken() {
    if (!lock.facet().fencing) {
      throw new LockCapabilityException(
          engine.direct.label() + " gives no fencing tokens with this layout");
    }
    return token;
  }

  @Override
  public List<NodeAnswer> votes() {
    return grant.answers();
  }

  @Override
  public Duration remaining() {
    if (!isHeld()) {
      return Duration.ZERO;
    }
    long hold = holdEndNanos - engine.time.monotonicNanos();
    return Duration.ofNanos(Math.max(0, Math.min(validity.remainingNanos(engine.time), hold)));
  }

  @Override
  public boolean isHeld() {
    return state.isHeld() && !endedByTime();
  }

  @Override
  public void ensureHeld() {
    if (!isHeld()) {
      LossReason reason = state.lossReason();
      if (reason != null) {
        throw new LeaseLostException(lock.name(), reason);
      }
      throw new IllegalStateException(
          "The lease of the lock '" + Printable.of(lock.name()) + "' has been released");
    }
  }

  @Override
  public void onLost(Consumer<? super LeaseLoss> handler) {
    Consumer<LossReason> inner = reason -> handler.accept(new LeaseLoss(lock.name(), reason));
    LossReason already = state.onLost(inner);
    if (already != null) {
      LossHandlers.call(engine.callbacks, List.of(inner), already);
    }
  }

  EngineLock lock() {
    return lock;
  }

  /** The fencing token, if there are any. */
  long token() {
    return token;
  }

  /** Why the lease was lost; only for a lease that was. */
  LossReason lossReason() {
    LossReason reason = state.lossReason();
    if (reason == null) {
      throw new IllegalStateException("not lost");
    }
    return reason;
  }

  /** Whether nothing is left of it that could be handed out. */
  boolean isSpent() {
    return validity.remainingNanos(engine.time) <= 0
        || engine.time.monotonicNanos() - holdEndNanos >= 0;
  }

  /** Whether time has ended this lease; if so, its loss is told now. */
  boolean endedByTime() {
    if (validity.remainingNanos(engine.time) <= 0) {
      lose(lapse());
      return true;
    }
    if (engine.time.monotonicNanos() - holdEndNanos >= 0) {
      lose(LossReason.MAX_HOLD);
      return true;
    }
    return false;
  }

  /** What it means for this lease that its validity ran out. */
  private LossReason lapse() {
    return terms.renewal() ? LossReason.RENEWAL_FAILED : LossReason.EXPIRED;
  }

  /** Ends the lease with a loss, unless it has ended already. */
  void lose(LossReason reason) {
    List<Consumer<LossReason>> handlers = state.lose(reason);
    if (handlers != null) {
      engine.keeper.remove(this);
      boolean gone = reason == LossReason.TAKEN || reason == LossReason.FORCED;
      if (!gone || lock.facet().kind == Facet.Kind.SEVERAL) { // of several, the others are held
        attempt.release();
      }
      tell(handlers, reason);
    }
  }

  private void tell(List<Consumer<LossReason>> handlers, LossReason reason) {
    events.lost(reason);
    engine.losses.lost(lock.name(), reason);
    LossHandlers.call(engine.callbacks, handlers, reason);
    engine.lines.changed(lock);
  }

  @Override
  public ReleaseResult release() {
    engine.workBegins(); // close() waits for a release that is under way
    try {
      return state.beginRelease() ? endBy(this::sendRelease) : earlierEnd();
    } finally {
      engine.workEnds();
    }
  }

  /**
   * Ends the lease by handing its lock to another owner.
   *
   * @param transfer sends that, given the attempt that got this lease, and waits for the answer;
   *     after a failure it releases both
   * @throws LeaseLostException when it has been lost before
   * @throws IllegalStateException when it has been released before
   */
  ReleaseResult handOver(Function<Attempt, TransferReply> transfer) {
    engine.workBegins();
    try {
      ensureHeld();
      if (!state.beginRelease()) {
        ensureHeld(); // another thread was faster
      }
      return endBy(() -> handedOver(transfer.apply(attempt)));
    } finally {
      engine.workEnds();
    }
  }

  /** Ends the lease, which nobody has ended yet, and tells the result to whoever tries, too. */
  private ReleaseResult endBy(Supplier<ReleaseResult> way) {
    CompletableFuture<ReleaseResult> result = new CompletableFuture<>();
    ending = result;
    engine.keeper.remove(this);
    events.releasing();
    try {
      ReleaseResult settled = way.get();
      result.complete(settled);
      return settled;
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(e);
      throw e;
    }
  }

  private ReleaseResult sendRelease() {
    if (validity.remainingNanos(engine.time) <= 0) {
      attempt.release();
      return lostAtRelease(lapse());
    }
    Line line = engine.lines.find(lock);
    Line.Passing passing =
        line == null
            ? Line.Passing.RELEASE
            : line.passing(terms.fair(), grant.othersWaiting() > 0, attempt.keptNanos());
    if (line != null && passing == Line.Passing.HAND_OVER) {
      Place next = line.promise();
      if (next != null) {
        return handedOver(Handover.from(attempt, line, next));
      }
    }
    return sendRelease(line, passing);
  }

  private ReleaseResult sendRelease(@Nullable Line line, Line.Passing passing) {
    if (line != null && passing == Line.Passing.PAUSE) {
      line.watchOnce(); // so that it can yield the next time
    }
    long wakeUps = line == null ? 0 : line.wakeUps();
    ReleaseReply reply =
        BlockingCalls.release(
            lock,
            new ReleaseRequest(lock.fullName(), attempt.owner(), passing == Line.Passing.YIELD));
    if (reply instanceof NotHeld notHeld) {
      return notHeld(notHeld);
    }
    if (reply instanceof Failed failed) {
      attempt.release();
      throw notConfirmed(failed);
    }
    Released released = (Released) reply;
    engine.clock.learn(released);
    finish();
    Line now = engine.lines.find(lock);
    if (now != null && now == line) {
      now.passedOn(passing, released, wakeUps);
    } else if (now != null) {
      now.changed(); // it began meanwhile
    }
    return ReleaseResult.RELEASED;
  }

  private ReleaseResult handedOver(TransferReply reply) {
    if (reply instanceof NotHeld notHeld) {
      return notHeld(notHeld);
    }
    if (reply instanceof Failed failed) {
      throw notConfirmed(failed);
    }
    engine.clock.learn((ServerClock) reply);
    finish();
    if (!(reply instanceof Granted)) { // guarded: it was released instead
      engine.lines.changed(lock);
    }
    return ReleaseResult.RELEASED;
  }

  private ReleaseResult notHeld(NotHeld notHeld) {
    engine.clock.learn(notHeld);
    return lostAtRelease(Answers.lossBy(notHeld));
  }

  private LockException notConfirmed(Failed failed) {
    if (events.heard()) {
      events.releaseFailed(Answers.of(engine.direct.label(), failed));
    }
    finish();
    engine.lines.changed(lock);
    return Answers.unavailable(
        "The release of the lock '"
            + Printable.of(lock.name())
            + "' was not confirmed; it is repeated in the background",
        engine.direct.label(),
        failed);
  }

  private ReleaseResult lostAtRelease(LossReason reason) {
    List<Consumer<LossReason>> handlers = state.loseWhileReleasing(reason);
    if (handlers != null) {
      tell(handlers, reason);
    }
    return ReleaseResult.LOST;
  }

  private void finish() {
    state.finishRelease();
    events.released();
  }

  /** The result of whoever ended this lease before, or is about to. */
  private ReleaseResult earlierEnd() {
    if (state.lossReason() != null) {
      return ReleaseResult.LOST;
    }
    CompletableFuture<ReleaseResult> other = ending;
    while (other == null) { // the other caller is between two lines of release()
      Thread.onSpinWait();
      other = ending;
    }
    try {
      return other.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof LockException known ? known : e;
    }
  }

  @Override
  public void close() {
    try {
      release();
    } catch (LockException e) {
      // Told to listeners, repeated in the background, and ended by the server's expiry.
      return;
    }
  }

  /** Gives the lease back without waiting: nobody took it. */
  void abandon() {
    if (state.beginRelease()) {
      ending = CompletableFuture.completedFuture(ReleaseResult.RELEASED);
      engine.keeper.remove(this);
      attempt.release();
      finish();
      engine.lines.changed(lock);
    }
  }

  // What follows is for the keeper.

  boolean isRunning() {
    return state.isHeld();
  }

  /** When the validity, or the permitted hold, ends on the monotonic clock. */
  long endNanos() {
    long end = validity.endNanos();
    return end - holdEndNanos < 0 ? end : holdEndNanos;
  }

  /** When this lease wants to be renewed; its end when it does not. */
  long renewalNanos() {
    long renewal = validity.sentNanos() + terms.leaseMillis() * 1_000_000L / 3;
    return terms.renewal() && renewal - endNanos() < 0 ? renewal : endNanos();
  }

  /** How long to wait after a renewal that was not confirmed. */
  long retryNanos() {
    return Math.max(5_000_000L, terms.leaseMillis() * 1_000_000L / 10);
  }

  boolean isRenewable() {
    return terms.renewal();
  }

  /** Where it is extended. */
  LockNode extender() {
    return lock.facet().renewing;
  }

  ExtendRequest extension() {
    return new ExtendRequest(lock.fullName(), attempt.owner(), terms.leaseMillis());
  }

  /**
   * The server has confirmed an extension that was sent at that time. An extension that arrives
   * after expiry is ignored, and so is one that was sent before an extension that is confirmed
   * already.
   */
  void extended(long sentNanos, long sentWallMillis) {
    Validity extended =
        new Validity(sentNanos, sentWallMillis, terms.leaseMillis()).afterSuspension(engine.time);
    if (isHeld() && extended.endNanos() - validity.afterSuspension(engine.time).endNanos() > 0) {
      validity = extended;
      events.renewed();
    }
  }

  /** The machine was suspended: what was planned on the monotonic clock comes earlier. */
  void resumed() {
    validity = validity.afterSuspension(engine.time);
  }

  void notExtended(Failed failed) {
    if (events.heard()) {
      events.renewalFailed(Answers.of(engine.direct.label(), failed));
    }
  }

  @Override
  public String toString() {
    return "Lease[" + Printable.of(lock.name()) + ", " + (isHeld() ? "held" : "ended") + "]";
  }
}
