package io.leasehold.examples.orders;

import io.leasehold.LockListener;
import io.leasehold.opentelemetry.LockNames;
import io.leasehold.opentelemetry.LockTelemetry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import jakarta.inject.Singleton;

/** Where spans and metrics go: to {@code telemetry.endpoint}, if it is set. */
@Factory
class Telemetry {

  @Singleton
  @Bean(preDestroy = "close")
  @Requires(property = "telemetry.endpoint")
  OpenTelemetrySdk sdk(@Value("${telemetry.endpoint}") String endpoint) {
    return OpenTelemetrySdk.builder()
        .setTracerProvider(
            SdkTracerProvider.builder()
                .addSpanProcessor(
                    BatchSpanProcessor.builder(
                            OtlpHttpSpanExporter.builder()
                                .setEndpoint(endpoint + "/v1/traces")
                                .build())
                        .build())
                .build())
        .setMeterProvider(
            SdkMeterProvider.builder()
                .registerMetricReader(
                    PeriodicMetricReader.create(
                        OtlpHttpMetricExporter.builder()
                            .setEndpoint(endpoint + "/v1/metrics")
                            .build()))
                .build())
        .build();
  }

  /** Nobody wants to know. */
  @Singleton
  @Requires(missingBeans = OpenTelemetry.class)
  OpenTelemetry none() {
    return OpenTelemetry.noop();
  }

  /** Names such as order:42 become order:{n}: as few as there are kinds of them. */
  @Singleton
  LockListener lockTelemetry(OpenTelemetry openTelemetry) {
    return LockTelemetry.builder(openTelemetry).lockNames(LockNames.templated()).build();
  }
}
