package io.leasehold.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockClosedException;
import io.leasehold.LockTimeoutException;
import io.leasehold.LockUnavailableException;
import io.leasehold.ReleaseResult;
import io.leasehold.opentelemetry.LockConventions.Events;
import io.leasehold.opentelemetry.LockConventions.Keys;
import io.leasehold.opentelemetry.LockConventions.Metrics;
import io.leasehold.opentelemetry.LockConventions.Spans;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Queueing;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AcquireSpanTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final Observatory observatory = new Observatory();

  @AfterEach
  void close() {
    observatory.close();
  }

  @Test
  void aFreeLockIsOneAttemptWithItsProviderTopologyAndToken() throws Exception {
    long token;
    SpanData span;
    try (LockClient locks = observatory.locks().open();
        Lease lease = locks.lock("order:42").acquire(LONG)) {
      token = lease.fencingToken();
      span = observatory.span(Spans.ACQUIRE);
    }
    assertThat(span.getKind()).isEqualTo(SpanKind.INTERNAL);
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(span.getEvents()).isEmpty();
    assertThat(span.getInstrumentationScopeInfo().getName()).isEqualTo("io.leasehold");
    assertThat(span.getAttributes().get(Keys.PROVIDER)).isEqualTo("memory");
    assertThat(span.getAttributes().get(Keys.TOPOLOGY)).isEqualTo("memory");
    assertThat(span.getAttributes().get(Keys.KIND)).isEqualTo("lock");
    assertThat(span.getAttributes().get(Keys.MODE)).isEqualTo("blocking");
    assertThat(span.getAttributes().get(Keys.MAX_WAIT)).isEqualTo(60.0);
    assertThat(span.getAttributes().get(Keys.OUTCOME)).isEqualTo("acquired");
    assertThat(span.getAttributes().get(Keys.TOKEN)).isEqualTo(token);
    assertThat(span.getAttributes().get(Keys.ATTEMPTS)).isEqualTo(1);
    assertThat(span.getAttributes().get(Keys.ROUNDS)).isEqualTo(1);
    assertThat(span.getAttributes().get(Keys.NODE)).isNotBlank();
    assertThat(span.getAttributes().get(Keys.NAME)).isNull();
    assertThat(span.getEndEpochNanos()).isGreaterThanOrEqualTo(span.getStartEpochNanos());
  }

  @Test
  void aCallThatWaitsTellsItsAttemptsThatItWaitsAndWhatWokeIt() throws Exception {
    AtomicInteger inLine = new AtomicInteger();
    try (LockClient first = observatory.silentLocks().open();
        LockClient second =
            observatory
                .locks()
                .decorate(
                    Interference.with(
                        "grant",
                        (request, real) -> {
                          CompletionStage<?> stage = real.answer();
                          if (((GrantRequest) request).queueing() == Queueing.WAKE) {
                            inLine.incrementAndGet();
                          }
                          return stage;
                        }))
                .open()) {
      Lease lease = first.lock("busy").acquire(LONG);
      FutureTask<ReleaseResult> waiting =
          new FutureTask<>(() -> second.lock("busy").acquire(LONG).release());
      Thread thread = new Thread(waiting);
      thread.start();
      // Parked, with its place in line: only now it is sure to be woken, not just to look again.
      Observatory.eventually(
          () -> inLine.get() > 0 && thread.getState() == Thread.State.TIMED_WAITING);
      lease.release();
      assertThat(waiting.get()).isEqualTo(ReleaseResult.RELEASED);
      SpanData span = observatory.span(Spans.ACQUIRE);
      assertThat(span.getEvents())
          .extracting(EventData::getName)
          .contains(Events.ATTEMPT, Events.WAITING, Events.WOKEN);
      assertThat(span.getEvents().get(0).getAttributes().get(Keys.ATTEMPT_OUTCOME))
          .isEqualTo("busy");
      assertThat(span.getAttributes().get(Keys.VOTES)).isNull();
      assertThat(span.getAttributes().get(Keys.OUTCOME)).isEqualTo("acquired");
      assertThat(span.getAttributes().get(Keys.ATTEMPTS)).isGreaterThanOrEqualTo(2);
      assertThat(observatory.total(Metrics.WAKEUPS)).isGreaterThanOrEqualTo(1);
      for (EventData event : span.getEvents()) {
        assertThat(event.getEpochNanos())
            .isBetween(span.getStartEpochNanos(), span.getEndEpochNanos());
      }
    }
  }

  @Test
  void aBusyLockIsAnOutcomeAndNoError() throws Exception {
    try (LockClient locks = observatory.locks().open();
        LockClient other = observatory.silentLocks().open();
        Lease held = other.lock("busy").acquire(LONG)) {
      assertThatThrownBy(() -> locks.lock("busy").acquire(Duration.ofMillis(20)))
          .isInstanceOf(LockTimeoutException.class);
      assertEndedWithoutError("busy");
      assertThat(held.isHeld()).isTrue();
    }
  }

  @Test
  void aCancelledCallIsAnOutcomeAndNoError() throws Exception {
    try (LockClient locks = observatory.locks().open();
        LockClient other = observatory.silentLocks().open();
        Lease held = other.lock("busy").acquire(LONG)) {
      CompletableFuture<Lease> waiting = locks.lock("busy").acquireAsync(LONG);
      Observatory.eventually(() -> observatory.total(Metrics.WAITING) == 1);
      waiting.cancel(true);
      assertEndedWithoutError("cancelled");
      Observatory.eventually(() -> observatory.total(Metrics.WAITING) == 0);
      assertThat(held.isHeld()).isTrue();
    }
  }

  @Test
  void anInterruptedCallIsAnOutcomeAndNoError() throws Exception {
    try (LockClient locks = observatory.locks().open();
        LockClient other = observatory.silentLocks().open();
        Lease held = other.lock("busy").acquire(LONG)) {
      CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
      Thread thread =
          new Thread(
              () -> {
                try (Lease lease = locks.lock("busy").acquire(LONG)) {
                  interrupted.complete(!lease.isHeld());
                } catch (InterruptedException e) {
                  interrupted.complete(true);
                }
              });
      thread.start();
      Observatory.eventually(() -> observatory.total(Metrics.WAITING) == 1);
      thread.interrupt();
      assertThat(interrupted.get()).isTrue();
      assertEndedWithoutError("interrupted");
      assertThat(held.isHeld()).isTrue();
    }
  }

  @Test
  void aCallEndedByTheCloseOfItsClientIsAnOutcomeAndNoError() throws Exception {
    LockClient locks = observatory.locks().open();
    try (LockClient other = observatory.silentLocks().open();
        Lease held = other.lock("busy").acquire(LONG)) {
      CompletableFuture<Lease> waiting = locks.lock("busy").acquireAsync(LONG);
      Observatory.eventually(() -> observatory.total(Metrics.WAITING) == 1);
      locks.close();
      assertThatThrownBy(waiting::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(LockClosedException.class);
      assertEndedWithoutError("closed");
      assertThat(held.isHeld()).isTrue();
    }
  }

  private void assertEndedWithoutError(String outcome) {
    SpanData span = observatory.span(Spans.ACQUIRE);
    assertThat(span.getAttributes().get(Keys.OUTCOME)).isEqualTo(outcome);
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(span.getAttributes().get(Keys.ERROR_TYPE)).isNull();
    assertThat(span.getEvents()).extracting(EventData::getName).doesNotContain(Events.EXCEPTION);
    assertThat(observatory.ended(Spans.HOLD)).isEmpty();
  }

  @Test
  void anUnavailableServerIsAnErrorWithItsExceptionAndNotWithTheHiddenName() {
    GrantReply failed = new Failed(FailureKind.NO_PERMISSION, "not allowed");
    try (LockClient locks =
        observatory
            .locks()
            .decorate(Interference.with("grant", (request, real) -> Interference.answer(failed)))
            .open()) {
      assertThatThrownBy(() -> locks.lock("secret-customer").acquire(LONG))
          .isInstanceOf(LockUnavailableException.class)
          .hasMessageContaining("secret-customer");
      SpanData span = observatory.span(Spans.ACQUIRE);
      assertThat(span.getAttributes().get(Keys.OUTCOME)).isEqualTo("unavailable");
      assertThat(span.getAttributes().get(Keys.ERROR_TYPE))
          .isEqualTo("io.leasehold.LockUnavailableException");
      assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
      assertThat(span.getStatus().getDescription()).contains("not allowed");
      assertThat(span.getEvents())
          .extracting(EventData::getName)
          .containsExactly(Events.ATTEMPT, Events.EXCEPTION);
      EventData exception = span.getEvents().get(1);
      assertThat(exception.getAttributes().get(Keys.EXCEPTION_TYPE))
          .isEqualTo("io.leasehold.LockUnavailableException");
      assertThat(exception.getAttributes().get(Keys.EXCEPTION_STACKTRACE))
          .contains("AcquireSpanTest");
      assertThat(span.toString()).doesNotContain("secret-customer");
      assertThat(observatory.attributes(Metrics.ACQUIRE_DURATION))
          .singleElement()
          .satisfies(
              attributes ->
                  assertThat(attributes.get(Keys.ERROR_TYPE))
                      .isEqualTo("io.leasehold.LockUnavailableException"));
    }
  }
}
