package io.leasehold.tck.checks;

import io.leasehold.LockListener;
import io.leasehold.LockObserver;
import io.leasehold.LossReason;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down everything that a client tells its listeners. */
final class EventLog implements LockListener {

  /** What is told. */
  enum Kind {
    STARTED,
    ATTEMPTED,
    WAITING,
    WOKEN,
    ACQUIRED,
    FAILED,
    RENEWED,
    RENEWAL_FAILED,
    RELEASED,
    LOST
  }

  /**
   * Something that was told.
   *
   * @param kind what sort of thing
   * @param nanos when it happened, on the monotonic clock; 0 for a start
   * @param detail the call, the outcome, the reason; for a grant, its rounds
   * @param answers what each node said
   */
  record Event(Kind kind, long nanos, Object detail, List<NodeAnswer> answers) {}

  private final List<Event> events = new CopyOnWriteArrayList<>();

  /** Everything so far, in the order in which it was told. */
  List<Event> all() {
    return List.copyOf(events);
  }

  /** The events of a kind so far. */
  List<Event> of(Kind kind) {
    List<Event> some = new ArrayList<>(events);
    some.removeIf(event -> event.kind != kind);
    return some;
  }

  /** Waits for the first event of a kind. */
  Event first(Kind kind, Duration bound) throws InterruptedException {
    Waiting.until("a listener hears " + kind, bound, () -> !of(kind).isEmpty());
    return of(kind).get(0);
  }

  @Override
  public LockObserver start(AcquireCall call) {
    events.add(new Event(Kind.STARTED, 0, call, List.of()));
    return new Observer();
  }

  private final class Observer implements LockObserver {

    private void add(Kind kind, Moment moment, Object detail, List<NodeAnswer> answers) {
      events.add(new Event(kind, moment.monotonicNanos(), detail, answers));
    }

    @Override
    public void attempted(Moment moment, AttemptOutcome outcome, List<NodeAnswer> answers) {
      add(Kind.ATTEMPTED, moment, outcome, answers);
    }

    @Override
    public void waiting(Moment moment) {
      add(Kind.WAITING, moment, "", List.of());
    }

    @Override
    public void woken(Moment moment) {
      add(Kind.WOKEN, moment, "", List.of());
    }

    @Override
    public void acquired(Moment moment, long token, int rounds, List<NodeAnswer> answers) {
      add(Kind.ACQUIRED, moment, rounds, answers);
    }

    @Override
    public void failed(Moment moment, Throwable outcome) {
      add(Kind.FAILED, moment, outcome, List.of());
    }

    @Override
    public void renewed(Moment moment) {
      add(Kind.RENEWED, moment, "", List.of());
    }

    @Override
    public void renewalFailed(Moment moment, List<NodeAnswer> answers) {
      add(Kind.RENEWAL_FAILED, moment, "", answers);
    }

    @Override
    public void released(Moment moment) {
      add(Kind.RELEASED, moment, "", List.of());
    }

    @Override
    public void lost(Moment moment, LossReason reason) {
      add(Kind.LOST, moment, reason, List.of());
    }
  }
}
