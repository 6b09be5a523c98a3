package io.leasehold.engine;

import io.leasehold.LossReason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The life of a lease: held, then releasing, then released; or lost, from either of the first two.
 * This is where release, loss and the registration of handlers race; everything else follows from
 * who wins here. Lock-free; every transition is taken by exactly one caller.
 */
final class LeaseState {

  private sealed interface State {}

  private record Held(List<Consumer<LossReason>> handlers) implements State {}

  private record Releasing(List<Consumer<LossReason>> handlers) implements State {}

  private enum Released implements State {
    INSTANCE
  }

  private record Lost(LossReason reason) implements State {}

  // Most leases have no handlers.
  private static final Held HELD = new Held(List.of());
  private static final Releasing RELEASING = new Releasing(List.of());

  private final AtomicReference<State> state = new AtomicReference<>(HELD);

  boolean isHeld() {
    return state.get() instanceof Held;
  }

  boolean isReleased() {
    return state.get() instanceof Released;
  }

  /** Why the lease was lost; null unless it was. */
  @Nullable LossReason lossReason() {
    return state.get() instanceof Lost lost ? lost.reason : null;
  }

  /** From held to releasing; true for the one caller that may send the release. */
  boolean beginRelease() {
    return state.get() instanceof Held held
        ? state.compareAndSet(held, releasing(held)) || beginRelease()
        : false;
  }

  private static Releasing releasing(Held held) {
    return held.handlers.isEmpty() ? RELEASING : new Releasing(held.handlers);
  }

  /** From releasing to released. */
  void finishRelease() {
    if (state.get() instanceof Releasing releasing
        && !state.compareAndSet(releasing, Released.INSTANCE)) {
      finishRelease(); // a handler was registered in between
    }
  }

  /**
   * From held to lost.
   *
   * @return the handlers to call, for the one caller that made the lease lost; null for all others
   */
  @Nullable List<Consumer<LossReason>> lose(LossReason reason) {
    return state.get() instanceof Held held ? end(held, held.handlers, reason) : null;
  }

  /** From releasing to lost: the release found out that the lock was not ours. As {@link #lose}. */
  @Nullable List<Consumer<LossReason>> loseWhileReleasing(LossReason reason) {
    return state.get() instanceof Releasing releasing
        ? end(releasing, releasing.handlers, reason)
        : null;
  }

  private @Nullable List<Consumer<LossReason>> end(
      State from, List<Consumer<LossReason>> handlers, LossReason reason) {
    if (state.compareAndSet(from, new Lost(reason))) {
      return handlers;
    }
    // Another handler was registered, or the state moved on: look again.
    return from instanceof Held ? lose(reason) : loseWhileReleasing(reason);
  }

  /**
   * Registers a handler for a loss.
   *
   * @return the reason when the lease is lost already, and the caller must call the handler itself
   */
  @Nullable LossReason onLost(Consumer<LossReason> handler) {
    while (true) {
      State now = state.get();
      State next;
      if (now instanceof Held held) {
        next = new Held(plus(held.handlers, handler));
      } else if (now instanceof Releasing releasing) {
        next = new Releasing(plus(releasing.handlers, handler));
      } else {
        return now instanceof Lost lost ? lost.reason : null;
      }
      if (state.compareAndSet(now, next)) {
        return null;
      }
    }
  }

  private static List<Consumer<LossReason>> plus(
      List<Consumer<LossReason>> handlers, Consumer<LossReason> handler) {
    List<Consumer<LossReason>> all = new ArrayList<>(handlers);
    all.add(handler);
    return List.copyOf(all);
  }
}
