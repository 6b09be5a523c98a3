package io.leasehold.opentelemetry;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.leasehold.LeaseLostException;
import io.leasehold.LockObserver.AttemptOutcome;
import io.leasehold.LockObserver.Moment;
import io.leasehold.LockUnavailableException;
import io.leasehold.LossReason;
import io.leasehold.opentelemetry.LockConventions.Events;
import io.leasehold.opentelemetry.LockConventions.Keys;
import io.leasehold.opentelemetry.LockConventions.Spans;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;

/**
 * The spans of one call. The one that acquires is a child of the caller's; so is the one that
 * holds, with a link to the one that acquired it, unless the caller has none: then it is a child of
 * that, so that a lease is one trace. The one that releases is a child of the one that holds.
 */
final class CallSpans {
  private final Tracer tracer;
  private final ShownCall call;
  private final Timeline timeline;
  private final Context caller;
  private final Span acquire;
  private final Context acquiring;
  private Span hold = Span.getInvalid();
  private Context holding;
  private Span release = Span.getInvalid();
  private long attempts;

  /** Begins the span that acquires; on the caller's thread. */
  CallSpans(Tracer tracer, ShownCall call, Timeline timeline) {
    this.tracer = tracer;
    this.call = call;
    this.timeline = timeline;
    this.caller = Context.current();
    this.acquire =
        call.on(tracer.spanBuilder(Spans.ACQUIRE))
            .setParent(caller)
            .setStartTimestamp(timeline.epochNanos(), NANOSECONDS)
            .setAttribute(Keys.MODE, Outcome.value(call.call().mode()))
            .setAttribute(Keys.MAX_WAIT, call.call().waitMillis() / 1e3)
            .startSpan();
    this.acquiring = caller.with(acquire);
    this.holding = caller;
  }

  /** Where the span that acquires is current. */
  Context acquiring() {
    return acquiring;
  }

  /** Where the span that holds is current. */
  Context holding() {
    return holding;
  }

  void attempted(Moment moment, AttemptOutcome outcome, Votes votes) {
    attempts++;
    if (acquire.isRecording()) {
      AttributesBuilder attributes = Attributes.builder();
      attributes.put(Keys.ATTEMPT_OUTCOME, Outcome.value(outcome));
      votes.addTo(attributes);
      acquire.addEvent(Events.ATTEMPT, attributes.build(), timeline.at(moment), NANOSECONDS);
    }
  }

  void waiting(Moment moment) {
    acquire.addEvent(Events.WAITING, timeline.at(moment), NANOSECONDS);
  }

  void woken(Moment moment) {
    acquire.addEvent(Events.WOKEN, timeline.at(moment), NANOSECONDS);
  }

  void acquired(Moment moment, long token, int rounds, Votes votes) {
    attempts++;
    if (acquire.isRecording()) {
      AttributesBuilder attributes = Attributes.builder();
      attributes.put(Keys.ROUNDS, (long) rounds);
      if (token > 0) {
        attributes.put(Keys.TOKEN, token);
      }
      votes.addTo(attributes);
      acquire.setAllAttributes(attributes.build());
    }
    end(Outcome.ACQUIRED, moment);
    Context parent = Span.fromContext(caller).getSpanContext().isValid() ? caller : acquiring;
    hold =
        call.on(tracer.spanBuilder(Spans.HOLD))
            .setParent(parent)
            .addLink(acquire.getSpanContext())
            .setStartTimestamp(timeline.at(moment), NANOSECONDS)
            .startSpan();
    holding = parent.with(hold);
    if (token > 0) {
      hold.setAttribute(Keys.TOKEN, token);
    }
  }

  void failed(Moment moment, Outcome outcome, Throwable failure) {
    if (outcome.isError() && acquire.isRecording()) {
      acquire.addEvent(Events.EXCEPTION, call.exception(failure), timeline.at(moment), NANOSECONDS);
      error(acquire, failure.getClass(), call.text(String.valueOf(failure.getMessage())));
    }
    end(outcome, moment);
  }

  private void end(Outcome outcome, Moment moment) {
    acquire.setAttribute(Keys.OUTCOME, outcome.value());
    acquire.setAttribute(Keys.ATTEMPTS, attempts);
    acquire.end(timeline.at(moment), NANOSECONDS);
  }

  void renewed(Moment moment) {
    hold.addEvent(Events.RENEWED, timeline.at(moment), NANOSECONDS);
  }

  void renewalFailed(Moment moment, Votes votes) {
    if (hold.isRecording()) {
      AttributesBuilder attributes = Attributes.builder();
      votes.addTo(attributes);
      hold.addEvent(Events.RENEWAL_FAILED, attributes.build(), timeline.at(moment), NANOSECONDS);
    }
  }

  void releasing(Moment moment) {
    release =
        call.on(tracer.spanBuilder(Spans.RELEASE))
            .setParent(holding)
            .setStartTimestamp(timeline.at(moment), NANOSECONDS)
            .startSpan();
  }

  void releaseFailed(Votes votes) {
    if (release.isRecording()) {
      AttributesBuilder attributes = Attributes.builder();
      votes.addTo(attributes);
      release.setAllAttributes(attributes.build());
      error(release, LockUnavailableException.class, "not confirmed; repeated in the background");
    }
  }

  void released(Moment moment, LeaseEnd end) {
    endBoth(moment, end);
  }

  void lost(Moment moment, LossReason reason) {
    String value = Outcome.value(reason);
    hold.setAttribute(Keys.LOSS_REASON, value);
    release.setAttribute(Keys.LOSS_REASON, value);
    error(hold, LeaseLostException.class, value + ": " + reason.description());
    endBoth(moment, LeaseEnd.LOST);
  }

  private void endBoth(Moment moment, LeaseEnd end) {
    release.setAttribute(Keys.LEASE_END, end.value());
    release.end(timeline.at(moment), NANOSECONDS);
    hold.setAttribute(Keys.LEASE_END, end.value());
    hold.end(timeline.at(moment), NANOSECONDS);
  }

  private static void error(Span span, Class<?> type, String description) {
    span.setAttribute(Keys.ERROR_TYPE, type.getName());
    span.setStatus(StatusCode.ERROR, description);
  }
}
