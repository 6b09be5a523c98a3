package io.leasehold.opentelemetry;

import io.leasehold.LossReason;
import io.leasehold.spi.NodeAnswer;
import io.opentelemetry.context.Context;
import org.jspecify.annotations.Nullable;

/** The metrics of one call. Contexts are given, so that exemplars lead to its spans. */
final class CallMeasures {
  private static final double NANOS = 1e9;

  private final Instruments instruments;
  private final Series series;
  private boolean waiting;

  CallMeasures(Instruments instruments, Series series) {
    this.instruments = instruments;
    this.series = series;
  }

  void voted(Votes votes, Context context) {
    for (NodeAnswer answer : votes.answers()) {
      instruments.votes.add(1, series.vote(answer), context);
    }
  }

  void waiting(Context context) {
    if (!waiting) {
      waiting = true;
      instruments.waiting.add(1, series.common(), context);
    }
  }

  void woken(Context context) {
    instruments.wakeups.add(1, series.common(), context);
  }

  /**
   * The call has ended.
   *
   * @param failure null when it ended with a lease
   */
  void ended(Outcome outcome, @Nullable Throwable failure, long nanos, Context context) {
    if (waiting) {
      waiting = false;
      instruments.waiting.add(-1, series.common(), context);
    }
    instruments.acquireDuration.record(nanos / NANOS, series.of(outcome, failure), context);
  }

  void held(Context context) {
    instruments.held.add(1, series.common(), context);
  }

  void renewal(boolean confirmed, Context context) {
    instruments.renewals.add(1, series.renewal(confirmed), context);
  }

  void lost(LossReason reason, Context context) {
    instruments.losses.add(1, series.of(reason), context);
  }

  void noLongerHeld(LeaseEnd end, long nanos, Context context) {
    instruments.held.add(-1, series.common(), context);
    instruments.holdDuration.record(nanos / NANOS, series.of(end), context);
  }
}
