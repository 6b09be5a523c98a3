package io.leasehold.engine;

import io.leasehold.LockObserver;
import io.leasehold.LockObserver.AttemptOutcome;
import io.leasehold.LockObserver.Moment;
import io.leasehold.LossReason;
import io.leasehold.spi.NodeAnswer;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What is told about one call, to those who listen. Without listeners it costs a null check. */
final class CallEvents {
  /** Nobody listens. */
  static final CallEvents SILENT = new CallEvents(null, List.of());

  private final @Nullable EventDispatcher dispatcher;
  private final List<LockObserver> observers;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.ASKING);

  /** How far the call has come: whoever moves it tells, and what comes too late is not told. */
  private enum Stage {
    ASKING,
    HOLDING,
    OVER
  }

  CallEvents(@Nullable EventDispatcher dispatcher, List<LockObserver> observers) {
    this.dispatcher = dispatcher;
    this.observers = observers;
  }

  /** Whether anybody listens: what is expensive to tell need not be made otherwise. */
  boolean heard() {
    return dispatcher != null;
  }

  void attempted(AttemptOutcome outcome, List<NodeAnswer> answers) {
    tell((observer, moment) -> observer.attempted(moment, outcome, answers));
  }

  void waiting() {
    tell(LockObserver::waiting);
  }

  void woken() {
    tell(LockObserver::woken);
  }

  void acquired(long token, int rounds, List<NodeAnswer> answers) {
    if (moves(Stage.ASKING, Stage.HOLDING)) {
      tell((observer, moment) -> observer.acquired(moment, token, rounds, answers));
    }
  }

  void failed(Throwable outcome) {
    if (moves(Stage.ASKING, Stage.OVER)) {
      tell((observer, moment) -> observer.failed(moment, outcome));
    }
  }

  void renewed() {
    tellWhileHeld(LockObserver::renewed);
  }

  void renewalFailed(List<NodeAnswer> answers) {
    tellWhileHeld((observer, moment) -> observer.renewalFailed(moment, answers));
  }

  void releasing() {
    tellWhileHeld(LockObserver::releasing);
  }

  void releaseFailed(List<NodeAnswer> answers) {
    tellWhileHeld((observer, moment) -> observer.releaseFailed(moment, answers));
  }

  void released() {
    if (moves(Stage.HOLDING, Stage.OVER)) {
      tell(LockObserver::released);
    }
  }

  void lost(LossReason reason) {
    if (moves(Stage.HOLDING, Stage.OVER)) {
      tell((observer, moment) -> observer.lost(moment, reason));
    }
  }

  private boolean moves(Stage from, Stage to) {
    return dispatcher != null && stage.compareAndSet(from, to);
  }

  private void tellWhileHeld(BiConsumer<LockObserver, Moment> event) {
    if (stage.get() == Stage.HOLDING) {
      tell(event);
    }
  }

  private void tell(BiConsumer<LockObserver, Moment> event) {
    if (dispatcher != null) {
      dispatcher.dispatch(observers, event);
    }
  }
}
