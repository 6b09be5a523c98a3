package io.leasehold.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockListener.AcquireCall;
import io.leasehold.LockObserver;
import io.leasehold.LockObserver.AttemptOutcome;
import io.leasehold.LockObserver.Moment;
import io.leasehold.LossReason;
import io.leasehold.opentelemetry.LockConventions.Keys;
import io.leasehold.opentelemetry.LockConventions.Metrics;
import io.leasehold.spi.NodeAnswer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Moment LATER = new Moment(2_000_000_000L, 0);

  private final Observatory observatory = new Observatory();

  @AfterEach
  void close() {
    observatory.close();
  }

  /** Makes every metric that there is, and tells their attributes. */
  static void everything(LockTelemetry telemetry) {
    LockObserver lost = telemetry.start(ObserverTest.call("order:42"));
    lost.attempted(
        LATER,
        AttemptOutcome.BUSY,
        List.of(new NodeAnswer("a:6379", NodeAnswer.Kind.BUSY, "for 3 ms")));
    lost.waiting(LATER);
    lost.woken(LATER);
    lost.acquired(LATER, 1, 1, List.of());
    lost.renewed(LATER);
    lost.renewalFailed(LATER, List.of());
    lost.releasing(LATER);
    lost.lost(LATER, LossReason.TAKEN);
    telemetry.start(ObserverTest.call("order:43")).failed(LATER, new IllegalStateException("x"));
  }

  @Test
  void everyMetricHasItsTypeItsUnitAndItsAttributes() {
    everything(LockTelemetry.create(observatory.api()));
    assertThat(observatory.metrics())
        .extracting(MetricData::getName)
        .containsExactlyInAnyOrderElementsOf(Constants.strings(Metrics.class));
    assertMetric(Metrics.ACQUIRE_DURATION, MetricDataType.HISTOGRAM, "s", Keys.OUTCOME);
    assertMetric(Metrics.HOLD_DURATION, MetricDataType.HISTOGRAM, "s", Keys.LEASE_END);
    assertMetric(Metrics.HELD, MetricDataType.LONG_SUM, "{lease}");
    assertMetric(Metrics.WAITING, MetricDataType.LONG_SUM, "{call}");
    assertMetric(Metrics.RENEWALS, MetricDataType.LONG_SUM, "{renewal}", Keys.RENEWAL_RESULT);
    assertMetric(Metrics.LOSSES, MetricDataType.LONG_SUM, "{lease}", Keys.LOSS_REASON);
    assertMetric(Metrics.WAKEUPS, MetricDataType.LONG_SUM, "{wakeup}");
    assertMetric(
        Metrics.VOTES, MetricDataType.LONG_SUM, "{vote}", Keys.VOTE_NODE, Keys.VOTE_ANSWER);
    assertThat(metric(Metrics.HELD).getLongSumData().isMonotonic()).isFalse();
    assertThat(metric(Metrics.WAITING).getLongSumData().isMonotonic()).isFalse();
    assertThat(metric(Metrics.LOSSES).getLongSumData().isMonotonic()).isTrue();
    assertThat(
            metric(Metrics.ACQUIRE_DURATION)
                .getHistogramData()
                .getPoints()
                .iterator()
                .next()
                .getBoundaries())
        .startsWith(0.0001)
        .endsWith(60.0);
  }

  private MetricData metric(String name) {
    return observatory.metric(name).orElseThrow();
  }

  private void assertMetric(
      String name, MetricDataType type, String unit, AttributeKey<?>... more) {
    MetricData metric = metric(name);
    assertThat(metric.getType()).isEqualTo(type);
    assertThat(metric.getUnit()).isEqualTo(unit);
    assertThat(metric.getDescription()).isNotBlank();
    Set<AttributeKey<?>> keys = new HashSet<>(Set.of(more));
    keys.addAll(Set.of(Keys.PROVIDER, Keys.TOPOLOGY, Keys.KIND));
    metric
        .getData()
        .getPoints()
        .forEach(
            point ->
                assertThat(
                        point.getAttributes().toBuilder().remove(Keys.ERROR_TYPE).build().asMap())
                    .containsOnlyKeys(keys));
  }

  @Test
  void heldAndWaitingRiseAndComeBackToZero() throws Exception {
    try (LockClient locks = observatory.locks().open()) {
      Lease first = locks.lock("a").acquire(LONG);
      Observatory.eventually(() -> observatory.total(Metrics.HELD) == 1);
      CompletableFuture<Lease> second = locks.lock("a").acquireAsync(LONG);
      Observatory.eventually(() -> observatory.total(Metrics.WAITING) == 1);
      first.release();
      second.get();
      Observatory.eventually(() -> observatory.total(Metrics.WAITING) == 0);
      Observatory.eventually(() -> observatory.total(Metrics.HELD) == 1);
    }
    Observatory.eventually(() -> observatory.total(Metrics.HELD) == 0);
    assertThat(observatory.total(Metrics.LOSSES, Keys.LOSS_REASON, "client_closed")).isEqualTo(1);
    assertThat(observatory.total(Metrics.ACQUIRE_DURATION, Keys.OUTCOME, "acquired")).isEqualTo(2);
    assertThat(observatory.total(Metrics.HOLD_DURATION, Keys.LEASE_END, "released")).isEqualTo(1);
  }

  @Test
  void kindsOfLockAreToldApart() throws Exception {
    try (LockClient locks = observatory.locks().open()) {
      locks.lock("a").acquire(LONG).close();
      locks.readWriteLock("a").readLock().acquire(LONG).close();
      locks.readWriteLock("a").writeLock().acquire(LONG).close();
      locks.semaphore("a", 2).acquire(LONG).close();
      locks.all("a", "b").acquire(LONG).close();
      Observatory.eventually(
          () -> observatory.total(Metrics.HOLD_DURATION) == AcquireCall.Kind.values().length);
    }
    for (AcquireCall.Kind kind : AcquireCall.Kind.values()) {
      assertThat(observatory.total(Metrics.ACQUIRE_DURATION, Keys.KIND, Outcome.value(kind)))
          .as(kind.toString())
          .isEqualTo(1);
    }
  }
}
