package io.leasehold.opentelemetry;

import io.leasehold.LockObserver.Moment;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Places what happens in a call on the wall clock, with one look at that clock when it begins: what
 * comes later is as far from it as the monotonic clock says, whenever it is told.
 *
 * @param epochNanos when the call began, since 1970
 * @param startNanos when it began, on the monotonic clock
 */
record Timeline(long epochNanos, long startNanos) {

  /** A call that begins now. */
  static Timeline from(Moment beginning) {
    Instant now = Instant.now();
    return new Timeline(
        TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano(), beginning.monotonicNanos());
  }

  /** The moment, in nanoseconds since 1970. */
  long at(Moment moment) {
    return epochNanos + sinceStart(moment);
  }

  /** From the beginning to the moment. */
  long sinceStart(Moment moment) {
    return Math.max(0, moment.monotonicNanos() - startNanos);
  }
}
