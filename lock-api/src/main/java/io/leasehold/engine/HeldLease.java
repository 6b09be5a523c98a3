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
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.Released;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A lease, as the engine keeps it. {@link LeaseState} decides who ends it. */
final class HeldLease extends DeadlineHeap.Entry implements Lease {
  private static final System.Logger LOG = System.getLogger("io.leasehold");

  private final Engine engine;
  private final EngineLock lock;
  private final String owner;
  private final long token;
  private final Terms terms;
  private final CallEvents events;
  private final LeaseState state = new LeaseState();
  private final long holdEndNanos;
  private volatile Validity validity;
  private volatile @Nullable CompletableFuture<ReleaseResult> ending;

  HeldLease(
      Engine engine,
      EngineLock lock,
      String owner,
      Granted grant,
      Terms terms,
      Validity validity,
      CallEvents events) {
    this.engine = engine;
    this.lock = lock;
    this.owner = owner;
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
    if (!engine.fencing) {
      throw new LockCapabilityException(
          engine.direct.label() + " gives no fencing tokens with this layout");
    }
    return token;
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
          "The lease of the lock '" + lock.name() + "' has been released");
    }
  }

  @Override
  public void onLost(Consumer<? super LeaseLoss> handler) {
    Consumer<LossReason> inner = reason -> handler.accept(new LeaseLoss(lock.name(), reason));
    LossReason already = state.onLost(inner);
    if (already != null) {
      call(List.of(inner), already);
    }
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
      if (reason != LossReason.TAKEN && reason != LossReason.FORCED) {
        engine.background.release(lock.fullName(), owner, terms.leaseMillis());
      }
      tell(handlers, reason);
    }
  }

  private void tell(List<Consumer<LossReason>> handlers, LossReason reason) {
    events.lost(reason);
    call(handlers, reason);
    engine.lines.changed(lock.fullName());
  }

  private void call(List<Consumer<LossReason>> handlers, LossReason reason) {
    for (Consumer<LossReason> handler : handlers) {
      try {
        engine.callbacks.execute(() -> call(handler, reason));
      } catch (RejectedExecutionException e) {
        call(handler, reason); // the client is closed and its threads are gone: this one must do
      }
    }
  }

  private static void call(Consumer<LossReason> handler, LossReason reason) {
    try {
      handler.accept(reason);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "LH-215 a handler of a lost lease threw", e);
    }
  }

  @Override
  public ReleaseResult release() {
    engine.workBegins(); // close() waits for a release that is under way
    try {
      return state.beginRelease() ? releaseNow() : earlierEnd();
    } finally {
      engine.workEnds();
    }
  }

  private ReleaseResult releaseNow() {
    CompletableFuture<ReleaseResult> result = new CompletableFuture<>();
    ending = result;
    engine.keeper.remove(this);
    try {
      ReleaseResult settled = sendRelease();
      result.complete(settled);
      return settled;
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(e);
      throw e;
    }
  }

  private ReleaseResult sendRelease() {
    if (validity.remainingNanos(engine.time) <= 0) {
      engine.background.release(lock.fullName(), owner, terms.leaseMillis());
      return lostAtRelease(lapse());
    }
    ReleaseReply reply = BlockingCalls.release(engine, lock.fullName(), owner);
    if (reply instanceof Released released) {
      engine.clock.learn(released);
    } else if (reply instanceof NotHeld notHeld) {
      engine.clock.learn(notHeld);
      return lostAtRelease(reasonOf(notHeld));
    } else if (reply instanceof Failed failed) {
      engine.background.release(lock.fullName(), owner, terms.leaseMillis());
      finish();
      throw Answers.unavailable(
          "The release of the lock '"
              + lock.name()
              + "' was not confirmed; it is repeated in the background",
          engine.direct.label(),
          failed);
    }
    finish();
    return ReleaseResult.RELEASED;
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
    engine.lines.changed(lock.fullName());
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
      engine.background.release(lock.fullName(), owner, terms.leaseMillis());
      finish();
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

  ExtendRequest extension() {
    return new ExtendRequest(lock.fullName(), owner, terms.leaseMillis());
  }

  /** The server has pushed the end out. Too late is too late: validity that lapsed stays lapsed. */
  void extended(long sentNanos, long sentWallMillis) {
    if (isHeld()) {
      validity = new Validity(sentNanos, sentWallMillis, terms.leaseMillis());
      events.renewed();
    }
  }

  void notExtended(Failed failed) {
    if (events.heard()) {
      events.renewalFailed(Answers.of(engine.direct.label(), failed));
    }
  }

  static LossReason reasonOf(NotHeld notHeld) {
    return notHeld.cause() == NotHeld.Cause.FORCED ? LossReason.FORCED : LossReason.TAKEN;
  }

  @Override
  public String toString() {
    return "Lease[" + lock.name() + ", " + (isHeld() ? "held" : "ended") + "]";
  }
}
