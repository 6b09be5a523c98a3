package io.leasehold.benchmarks.contestant;

import io.leasehold.opentelemetry.LockTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;

/**
 * Our locks in memory, where a cycle is so short that what listeners cost is seen: heard by nobody,
 * by telemetry that nobody has given an SDK, and by telemetry with everything on.
 */
final class Telemetry {
  private static final String URL = "lock:mem://telemetry";

  private Telemetry() {}

  static Client none() {
    return Ours.open(URL);
  }

  static Client noop() {
    return Ours.heardBy(LockTelemetry.create(OpenTelemetry.noop()), URL);
  }

  /** Every span is recorded and every measurement taken; what would be sent is dropped. */
  static Client sdk() {
    OpenTelemetrySdk sdk =
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .addSpanProcessor(BatchSpanProcessor.builder(SpanExporter.noop()).build())
                    .build())
            .setMeterProvider(
                SdkMeterProvider.builder()
                    .registerMetricReader(PeriodicMetricReader.create(new NoMetrics()))
                    .build())
            .build();
    Client client = Ours.heardBy(LockTelemetry.create(sdk), URL);
    return new Client() {
      @Override
      public Handle lock(String name) {
        return client.lock(name);
      }

      @Override
      public void close() {
        client.close();
        sdk.close();
      }
    };
  }

  private static final class NoMetrics implements MetricExporter {
    @Override
    public CompletableResultCode export(Collection<MetricData> metrics) {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType type) {
      return AggregationTemporality.CUMULATIVE;
    }
  }
}
