package io.leasehold.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.leasehold.LockClient;
import io.leasehold.LockObserver;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class NoopTest {
  private static final int CYCLES = 5_000;

  @Test
  void anOpenTelemetryThatDoesNothingIsNotToldAnything() {
    assertThat(start(OpenTelemetry.noop())).isSameAs(LockObserver.NONE);
    assertThat(start(OpenTelemetry.propagating(ContextPropagators.noop())))
        .isSameAs(LockObserver.NONE);
  }

  @Test
  void spansAloneOrMetricsAloneAreReasonEnough() {
    try (OpenTelemetrySdk spans =
            OpenTelemetrySdk.builder()
                .setTracerProvider(
                    SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(InMemorySpanExporter.create()))
                        .build())
                .build();
        OpenTelemetrySdk metrics =
            OpenTelemetrySdk.builder()
                .setMeterProvider(
                    SdkMeterProvider.builder()
                        .registerMetricReader(InMemoryMetricReader.create())
                        .build())
                .build()) {
      assertThat(start(spans)).isNotSameAs(LockObserver.NONE);
      assertThat(start(metrics)).isNotSameAs(LockObserver.NONE);
    }
  }

  private static LockObserver start(OpenTelemetry openTelemetry) {
    return LockTelemetry.create(openTelemetry).start(ObserverTest.call("a"));
  }

  @Test
  void aCycleWithANoopAllocatesLittleMoreThanOneWithoutAListener() {
    try (Observatory observatory = new Observatory();
        LockClient without = observatory.silentLocks().open();
        LockClient with =
            observatory.silentLocks().listener(LockTelemetry.create(OpenTelemetry.noop())).open()) {
      long base = Math.min(bytesOfACycle(without), bytesOfACycle(without));
      long noop = Math.min(bytesOfACycle(with), bytesOfACycle(with));
      assertThat(noop - base).isLessThanOrEqualTo(500);
    }
  }

  /** On the thread of the caller, on average. */
  private static long bytesOfACycle(LockClient locks) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < CYCLES; i++) {
      locks.lock("a").tryAcquire().orElseThrow().close();
    }
    return (threads.getCurrentThreadAllocatedBytes() - before) / CYCLES;
  }
}
