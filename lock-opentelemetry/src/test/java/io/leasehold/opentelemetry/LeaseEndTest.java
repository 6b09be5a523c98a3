package io.leasehold.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockOptions;
import io.leasehold.LockUnavailableException;
import io.leasehold.ReleaseResult;
import io.leasehold.opentelemetry.LockConventions.Events;
import io.leasehold.opentelemetry.LockConventions.Keys;
import io.leasehold.opentelemetry.LockConventions.Metrics;
import io.leasehold.opentelemetry.LockConventions.Spans;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaseEndTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Failed UNREACHABLE = new Failed(FailureKind.UNREACHABLE, "cable pulled");

  private final Observatory observatory = new Observatory();

  @AfterEach
  void close() {
    observatory.close();
  }

  @Test
  void aLeaseThatRunsOutInTheMiddleIsAnErrorOfItsSpanAndALossByReason() throws Exception {
    try (LockClient locks = observatory.locks().open()) {
      LockOptions brief =
          LockOptions.defaults().withLeaseTime(Duration.ofMillis(300)).withoutRenewal();
      Lease lease = locks.lock("a", brief).acquire(LONG);
      assertLost("expired");
      assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
      assertThat(observatory.ended(Spans.RELEASE)).isEmpty();
    }
  }

  @Test
  void aLeaseThatCannotBeRenewedTellsTheRenewalsThatFailed() throws Exception {
    try (LockClient locks =
        observatory
            .locks()
            .decorate(
                Interference.with(
                    "extend",
                    (requests, real) ->
                        Interference.answer(
                            ((List<?>) requests).stream().map(request -> UNREACHABLE).toList())))
            .open()) {
      LockOptions brief = LockOptions.defaults().withLeaseTime(Duration.ofSeconds(3));
      locks.lock("a", brief).acquire(LONG);
      SpanData hold = assertLost("renewal_failed");
      assertThat(hold.getEvents())
          .extracting(EventData::getName)
          .contains(Events.RENEWAL_FAILED)
          .doesNotContain(Events.RENEWED);
      assertThat(observatory.total(Metrics.RENEWALS, Keys.RENEWAL_RESULT, "failed"))
          .isEqualTo(hold.getEvents().size());
    }
  }

  @Test
  void renewalsAreEventsOfTheHold() throws Exception {
    try (LockClient locks = observatory.locks().open()) {
      LockOptions brief = LockOptions.defaults().withLeaseTime(Duration.ofSeconds(6));
      Lease lease = locks.lock("a", brief).acquire(LONG);
      Observatory.eventually(
          () -> observatory.total(Metrics.RENEWALS, Keys.RENEWAL_RESULT, "ok") >= 1);
      lease.close();
      assertThat(observatory.span(Spans.HOLD).getEvents())
          .extracting(EventData::getName)
          .contains(Events.RENEWED);
    }
  }

  @Test
  void aLossThatIsFoundWhenItIsReleasedIsToldByBothSpans() throws Exception {
    try (LockClient locks = observatory.locks().open();
        LockClient operator = observatory.silentLocks().open()) {
      Lease lease = locks.lock("a").acquire(LONG);
      operator.forceRelease("a", "test");
      assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
      assertLost("forced");
      SpanData release = observatory.span(Spans.RELEASE);
      assertThat(release.getAttributes().get(Keys.LEASE_END)).isEqualTo("lost");
      assertThat(release.getAttributes().get(Keys.LOSS_REASON)).isEqualTo("forced");
      assertThat(release.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    }
  }

  @Test
  void aReleaseThatIsNotConfirmedIsAnErrorOfTheRelease() throws Exception {
    AtomicBoolean pulled = new AtomicBoolean(true);
    try (LockClient locks =
        observatory
            .locks()
            .decorate(
                Interference.with(
                    "release",
                    (request, real) ->
                        pulled.getAndSet(false) ? Interference.answer(UNREACHABLE) : real.answer()))
            .open()) {
      Lease lease = locks.lock("a").acquire(LONG);
      assertThatThrownBy(lease::release).isInstanceOf(LockUnavailableException.class);
      SpanData release = observatory.span(Spans.RELEASE);
      assertThat(release.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
      assertThat(release.getAttributes().get(Keys.ERROR_TYPE))
          .isEqualTo("io.leasehold.LockUnavailableException");
      assertThat(release.getAttributes().get(Keys.LEASE_END)).isEqualTo("unconfirmed");
      SpanData hold = observatory.span(Spans.HOLD);
      assertThat(hold.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
      assertThat(hold.getAttributes().get(Keys.LEASE_END)).isEqualTo("unconfirmed");
      Observatory.eventually(
          () -> observatory.total(Metrics.HOLD_DURATION, Keys.LEASE_END, "unconfirmed") == 1);
      assertThat(observatory.total(Metrics.HELD)).isZero();
      assertThat(observatory.total(Metrics.LOSSES)).isZero();
    }
  }

  private SpanData assertLost(String reason) {
    SpanData hold = observatory.span(Spans.HOLD);
    assertThat(hold.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(hold.getStatus().getDescription()).startsWith(reason + ": ");
    assertThat(hold.getAttributes().get(Keys.LOSS_REASON)).isEqualTo(reason);
    assertThat(hold.getAttributes().get(Keys.LEASE_END)).isEqualTo("lost");
    assertThat(hold.getAttributes().get(Keys.ERROR_TYPE))
        .isEqualTo("io.leasehold.LeaseLostException");
    Observatory.eventually(
        () -> observatory.total(Metrics.HOLD_DURATION, Keys.LEASE_END, "lost") == 1);
    assertThat(observatory.total(Metrics.LOSSES, Keys.LOSS_REASON, reason)).isEqualTo(1);
    assertThat(observatory.total(Metrics.LOSSES)).isEqualTo(1);
    assertThat(observatory.total(Metrics.HELD)).isZero();
    return hold;
  }
}
