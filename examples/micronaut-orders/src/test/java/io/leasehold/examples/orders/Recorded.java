package io.leasehold.examples.orders;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import jakarta.inject.Singleton;

/** Telemetry that stays in this JVM, where a test can look at it. */
@Factory
@Requires(property = "recorded")
class Recorded {
  static final InMemorySpanExporter SPANS = InMemorySpanExporter.create();
  static final InMemoryMetricReader METRICS = InMemoryMetricReader.create();

  /** Of all instances in this JVM. */
  private static final OpenTelemetry ALL =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(SPANS))
                  .build())
          .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(METRICS).build())
          .build();

  @Singleton
  OpenTelemetry openTelemetry() {
    return ALL;
  }
}
