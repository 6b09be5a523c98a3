package io.leasehold.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockListener.AcquireCall;
import io.leasehold.LockObserver;
import io.leasehold.LockObserver.AttemptOutcome;
import io.leasehold.LockObserver.Moment;
import io.leasehold.LossReason;
import io.leasehold.opentelemetry.LockConventions.Events;
import io.leasehold.opentelemetry.LockConventions.Keys;
import io.leasehold.opentelemetry.LockConventions.Metrics;
import io.leasehold.opentelemetry.LockConventions.Spans;
import io.leasehold.spi.NodeAnswer;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Observers that are told what a test makes up, in whatever order. */
class ObserverTest {
  private static final Moment LATER = new Moment(2_500_000_000L, 0);

  private final Observatory observatory = new Observatory();
  private final LockTelemetry telemetry = LockTelemetry.create(observatory.api());

  @AfterEach
  void close() {
    observatory.close();
  }

  static AcquireCall call(String name) {
    return new AcquireCall(
        name,
        AcquireCall.Kind.LOCK,
        "redlock",
        "quorum",
        "redlock(a,b,c)",
        1000,
        AcquireCall.Mode.BLOCKING,
        new Moment(1_000_000_000L, 0));
  }

  private static List<NodeAnswer> answers(NodeAnswer.Kind a, NodeAnswer.Kind b, NodeAnswer.Kind c) {
    return List.of(
        new NodeAnswer("a:6379", a, ""),
        new NodeAnswer("b:6379", b, "refused"),
        new NodeAnswer("c:6379", c, ""));
  }

  @Test
  void theVotesOfAQuorumAreInTheSpanAndCountedByNodeAndAnswer() {
    LockObserver observer = telemetry.start(call("a"));
    observer.attempted(
        LATER,
        AttemptOutcome.FAILED,
        answers(NodeAnswer.Kind.GRANTED, NodeAnswer.Kind.FAILED, NodeAnswer.Kind.BUSY));
    observer.acquired(
        LATER,
        7,
        2,
        answers(NodeAnswer.Kind.GRANTED, NodeAnswer.Kind.FAILED, NodeAnswer.Kind.GRANTED));
    SpanData acquire = observatory.span(Spans.ACQUIRE);
    assertThat(acquire.getAttributes().get(Keys.VOTES))
        .containsExactly("a:6379=granted", "b:6379=failed", "c:6379=granted");
    assertThat(acquire.getAttributes().get(Keys.GRANTED)).isEqualTo(2);
    assertThat(acquire.getAttributes().get(Keys.QUORUM_SIZE)).isEqualTo(3);
    assertThat(acquire.getAttributes().get(Keys.ROUNDS)).isEqualTo(2);
    assertThat(acquire.getAttributes().get(Keys.ATTEMPTS)).isEqualTo(2);
    assertThat(acquire.getEvents().get(0).getAttributes().get(Keys.GRANTED)).isEqualTo(1);
    assertThat(observatory.total(Metrics.VOTES)).isEqualTo(6);
    assertThat(observatory.total(Metrics.VOTES, Keys.VOTE_NODE, "b:6379")).isEqualTo(2);
    assertThat(observatory.total(Metrics.VOTES, Keys.VOTE_ANSWER, "granted")).isEqualTo(3);
  }

  @Test
  void theAnswerOfTheNodeItselfIsNoVote() {
    LockObserver observer = telemetry.start(call("a"));
    observer.attempted(
        LATER,
        AttemptOutcome.FAILED,
        List.of(new NodeAnswer("redlock(a,b,c)", NodeAnswer.Kind.FAILED, "closed")));
    assertThat(observatory.total(Metrics.VOTES)).isZero();
  }

  @Test
  void nodesWithoutEndAreCountedAsOthers() {
    LockObserver observer = telemetry.start(call("a"));
    for (int i = 0; i < 10 * Series.MOST_NODES; i++) {
      NodeAnswer answer = new NodeAnswer("host:" + i, NodeAnswer.Kind.BUSY, "");
      observer.attempted(LATER, AttemptOutcome.BUSY, List.of(answer));
    }
    assertThat(observatory.attributes(Metrics.VOTES)).hasSize(Series.MOST_NODES + 1);
    assertThat(observatory.total(Metrics.VOTES, Keys.VOTE_NODE, LockConventions.OTHER))
        .isEqualTo(9 * Series.MOST_NODES);
  }

  @Test
  void timesAreThoseOfTheMomentsHoweverLateTheyAreTold() {
    LockObserver observer = telemetry.start(call("a"));
    observer.waiting(new Moment(1_250_000_000L, 0));
    observer.acquired(new Moment(1_500_000_000L, 0), 0, 1, List.of());
    observer.releasing(new Moment(3_000_000_000L, 0));
    observer.released(new Moment(3_500_000_000L, 0));
    SpanData acquire = observatory.span(Spans.ACQUIRE);
    SpanData hold = observatory.span(Spans.HOLD);
    SpanData release = observatory.span(Spans.RELEASE);
    long start = acquire.getStartEpochNanos();
    assertThat(acquire.getEndEpochNanos() - start).isEqualTo(500_000_000);
    assertThat(acquire.getEvents().get(0).getEpochNanos() - start).isEqualTo(250_000_000);
    assertThat(acquire.getAttributes().get(Keys.TOKEN)).isNull();
    assertThat(hold.getStartEpochNanos() - start).isEqualTo(500_000_000);
    assertThat(hold.getEndEpochNanos() - start).isEqualTo(2_500_000_000L);
    assertThat(release.getStartEpochNanos() - start).isEqualTo(2_000_000_000);
    assertThat(sum(Metrics.ACQUIRE_DURATION)).isEqualTo(0.5);
    assertThat(sum(Metrics.HOLD_DURATION)).isEqualTo(2.0);
  }

  private double sum(String histogram) {
    return observatory
        .metric(histogram)
        .orElseThrow()
        .getHistogramData()
        .getPoints()
        .iterator()
        .next()
        .getSum();
  }

  @Test
  void whatComesTooLateOrTwiceChangesNothing() {
    LockObserver cancelled = telemetry.start(call("a"));
    cancelled.waiting(LATER);
    cancelled.waiting(LATER);
    cancelled.failed(LATER, new CancellationException());
    cancelled.waiting(LATER);
    cancelled.woken(LATER);
    cancelled.acquired(LATER, 1, 1, List.of());
    cancelled.failed(LATER, new CancellationException());
    cancelled.lost(LATER, LossReason.TAKEN);
    LockObserver released = telemetry.start(call("a"));
    released.released(LATER);
    released.waiting(LATER);
    released.acquired(LATER, 1, 1, List.of());
    released.acquired(LATER, 1, 1, List.of());
    released.waiting(LATER);
    released.releasing(LATER);
    released.lost(LATER, LossReason.TAKEN);
    released.released(LATER);
    released.renewed(LATER);
    assertThat(observatory.total(Metrics.WAITING)).isZero();
    assertThat(observatory.total(Metrics.HELD)).isZero();
    assertThat(observatory.total(Metrics.WAKEUPS)).isZero();
    assertThat(observatory.total(Metrics.LOSSES)).isEqualTo(1);
    assertThat(observatory.total(Metrics.RENEWALS)).isZero();
    assertThat(observatory.total(Metrics.ACQUIRE_DURATION)).isEqualTo(2);
    assertThat(observatory.total(Metrics.HOLD_DURATION)).isEqualTo(1);
    assertThat(observatory.ended(Spans.ACQUIRE)).hasSize(2);
  }

  @Test
  void anUnexpectedFailureIsAnErrorWithItsType() {
    telemetry.start(call("a")).failed(LATER, new IllegalStateException("broken"));
    SpanData acquire = observatory.span(Spans.ACQUIRE);
    assertThat(acquire.getAttributes().get(Keys.OUTCOME)).isEqualTo("error");
    assertThat(acquire.getAttributes().get(Keys.ERROR_TYPE))
        .isEqualTo("java.lang.IllegalStateException");
    assertThat(acquire.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(acquire.getStatus().getDescription()).isEqualTo("broken");
    assertThat(acquire.getEvents().get(0).getName()).isEqualTo(Events.EXCEPTION);
    assertThat(observatory.total(Metrics.ACQUIRE_DURATION, Keys.OUTCOME, "error")).isEqualTo(1);
    assertThat(
            observatory.total(
                Metrics.ACQUIRE_DURATION, Keys.ERROR_TYPE, "java.lang.IllegalStateException"))
        .isEqualTo(1);
  }

  @Test
  void exemplarsLeadFromTheHistogramsToTheSpans() {
    LockObserver observer = telemetry.start(call("a"));
    observer.acquired(LATER, 1, 1, List.of());
    observer.released(LATER);
    // In one collection: exemplars are told once.
    Map<String, SpanContext> exemplars =
        observatory.metrics().stream()
            .filter(metric -> metric.getType() == MetricDataType.HISTOGRAM)
            .collect(
                Collectors.toMap(
                    MetricData::getName,
                    metric ->
                        metric.getHistogramData().getPoints().stream()
                            .flatMap(point -> point.getExemplars().stream())
                            .findFirst()
                            .orElseThrow()
                            .getSpanContext()));
    assertThat(exemplars)
        .containsEntry(Metrics.ACQUIRE_DURATION, observatory.span(Spans.ACQUIRE).getSpanContext())
        .containsEntry(Metrics.HOLD_DURATION, observatory.span(Spans.HOLD).getSpanContext());
  }
}
