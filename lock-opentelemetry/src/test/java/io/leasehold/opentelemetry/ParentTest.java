package io.leasehold.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.opentelemetry.LockConventions.Keys;
import io.leasehold.opentelemetry.LockConventions.Metrics;
import io.leasehold.opentelemetry.LockConventions.Spans;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class ParentTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @Test
  void acquireAndHoldAreChildrenOfTheCallersSpanAndReleaseOfHold() throws Exception {
    try (Observatory observatory = new Observatory();
        LockClient locks = observatory.locks().open()) {
      Span caller = observatory.begin("caller");
      Observatory.within(caller, () -> locks.lock("a").acquire(LONG)).close();
      caller.end();
      SpanData acquire = observatory.span(Spans.ACQUIRE);
      SpanData hold = observatory.span(Spans.HOLD);
      SpanData release = observatory.span(Spans.RELEASE);
      assertThat(acquire.getParentSpanId()).isEqualTo(caller.getSpanContext().getSpanId());
      assertThat(hold.getParentSpanId()).isEqualTo(caller.getSpanContext().getSpanId());
      assertThat(hold.getLinks())
          .extracting(LinkData::getSpanContext)
          .containsExactly(acquire.getSpanContext());
      assertThat(release.getParentSpanId()).isEqualTo(hold.getSpanId());
      assertThat(hold.getStartEpochNanos()).isEqualTo(acquire.getEndEpochNanos());
      assertThat(hold.getEndEpochNanos()).isEqualTo(release.getEndEpochNanos());
      assertThat(hold.getAttributes().get(Keys.LEASE_END)).isEqualTo("released");
      assertThat(hold.getAttributes().get(Keys.TOKEN))
          .isEqualTo(acquire.getAttributes().get(Keys.TOKEN));
    }
  }

  @Test
  void withoutASpanOfTheCallersALeaseIsOneTrace() throws Exception {
    try (Observatory observatory = new Observatory();
        LockClient locks = observatory.locks().open()) {
      locks.lock("a").acquire(LONG).close();
      SpanData acquire = observatory.span(Spans.ACQUIRE);
      SpanData hold = observatory.span(Spans.HOLD);
      assertThat(acquire.getParentSpanId()).isEqualTo(SpanId.getInvalid());
      assertThat(hold.getParentSpanId()).isEqualTo(acquire.getSpanId());
    }
  }

  @Test
  void anAsynchronousCallThatEndsElsewhereIsAChildOfWhereItBegan() throws Exception {
    try (Observatory observatory = new Observatory();
        LockClient locks = observatory.locks().open();
        LockClient other = observatory.silentLocks().open()) {
      Lease held = other.lock("a").acquire(LONG);
      Span caller = observatory.begin("caller");
      CompletableFuture<Lease> waiting =
          Observatory.within(caller, () -> locks.lock("a").acquireAsync(LONG));
      Observatory.eventually(() -> observatory.total(Metrics.WAITING) == 1);
      Span stranger = observatory.begin("stranger");
      Observatory.within(stranger, held::release);
      Observatory.within(stranger, () -> waiting.get().release());
      assertChildren(observatory, caller);
      assertThat(observatory.span(Spans.ACQUIRE).getAttributes().get(Keys.MODE)).isEqualTo("async");
    }
  }

  @Test
  void aCallOnAVirtualThreadIsAChildOfTheSpanThere() throws Exception {
    Method startVirtualThread =
        Arrays.stream(Thread.class.getMethods())
            .filter(method -> method.getName().equals("startVirtualThread"))
            .findAny()
            .orElse(null);
    Assumptions.assumeTrue(startVirtualThread != null, "this JDK has no virtual threads");
    try (Observatory observatory = new Observatory();
        LockClient locks = observatory.locks().open()) {
      Span caller = observatory.begin("caller");
      CompletableFuture<Boolean> done = new CompletableFuture<>();
      Runnable task =
          () -> {
            try {
              Lease lease = Observatory.within(caller, () -> locks.lock("a").acquire(LONG));
              done.complete(lease.isHeld());
              lease.close();
            } catch (Exception e) {
              done.completeExceptionally(e);
            }
          };
      Objects.requireNonNull(startVirtualThread).invoke(null, task);
      assertThat(done.get()).isTrue();
      assertChildren(observatory, caller);
    }
  }

  private static void assertChildren(Observatory observatory, Span caller) {
    String parent = caller.getSpanContext().getSpanId();
    assertThat(observatory.span(Spans.ACQUIRE).getParentSpanId()).isEqualTo(parent);
    assertThat(observatory.span(Spans.HOLD).getParentSpanId()).isEqualTo(parent);
  }

  @Test
  void whatIsNotSampledIsMeasuredAllTheSame() throws Exception {
    try (Observatory observatory = new Observatory(Sampler.alwaysOff());
        LockClient locks = observatory.locks().open()) {
      locks.lock("a").acquire(LONG).close();
      Observatory.eventually(() -> observatory.total(Metrics.HOLD_DURATION) == 1);
      assertThat(observatory.total(Metrics.ACQUIRE_DURATION)).isEqualTo(1);
      assertThat(observatory.ended(Spans.HOLD)).isEmpty();
    }
  }
}
