package io.leasehold.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.opentelemetry.LockConventions.Metrics;
import io.leasehold.opentelemetry.LockConventions.Spans;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** End to end: from a lock call over the OTLP exporter to a receiver. */
class OtlpTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final List<ExportTraceServiceRequest> traces = new CopyOnWriteArrayList<>();
  private final List<ExportMetricsServiceRequest> metrics = new CopyOnWriteArrayList<>();
  private HttpServer receiver;
  private OpenTelemetrySdk sdk;

  @BeforeEach
  void open() throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/v1/traces", http -> traces.add(ExportTraceServiceRequest.parseFrom(body(http))));
    receiver.createContext(
        "/v1/metrics", http -> metrics.add(ExportMetricsServiceRequest.parseFrom(body(http))));
    receiver.start();
    String url = "http://127.0.0.1:" + receiver.getAddress().getPort();
    sdk =
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .addSpanProcessor(
                        BatchSpanProcessor.builder(
                                OtlpHttpSpanExporter.builder()
                                    .setEndpoint(url + "/v1/traces")
                                    .build())
                            .build())
                    .build())
            .setMeterProvider(
                SdkMeterProvider.builder()
                    .registerMetricReader(
                        PeriodicMetricReader.builder(
                                OtlpHttpMetricExporter.builder()
                                    .setEndpoint(url + "/v1/metrics")
                                    .build())
                            .setInterval(Duration.ofHours(1))
                            .build())
                    .build())
            .build();
  }

  private static byte[] body(HttpExchange http) throws IOException {
    byte[] body = http.getRequestBody().readAllBytes();
    http.sendResponseHeaders(200, -1);
    http.close();
    return body;
  }

  @AfterEach
  void close() {
    sdk.close();
    receiver.stop(0);
  }

  @Test
  void spansAndMetricsArriveAtACollector() throws Exception {
    LockTelemetry telemetry = LockTelemetry.create(sdk);
    try (LockClient locks =
        Locks.builder()
            .url("lock:mem://otlp")
            .discoverListeners(false)
            .listener(telemetry)
            .open()) {
      Span caller = sdk.getTracer("application").spanBuilder("order").startSpan();
      Observatory.within(caller, () -> locks.lock("order:42").acquire(LONG)).close();
      caller.end();
    }
    MetricsTest.everything(telemetry);
    Observatory.eventually(
        () -> {
          sdk.getSdkTracerProvider().forceFlush().join(10, TimeUnit.SECONDS);
          sdk.getSdkMeterProvider().forceFlush().join(10, TimeUnit.SECONDS);
          return spanNames().containsAll(Constants.strings(Spans.class))
              && metricNames().containsAll(Constants.strings(Metrics.class));
        });
    assertThat(spanNames()).contains("order");
    assertThat(metricNames()).allMatch(name -> Constants.strings(Metrics.class).contains(name));
    assertThat(traces.toString()).doesNotContain("order:42");
  }

  private List<String> spanNames() {
    return traces.stream()
        .flatMap(request -> request.getResourceSpansList().stream())
        .flatMap(resource -> resource.getScopeSpansList().stream())
        .flatMap(scope -> scope.getSpansList().stream())
        .map(span -> span.getName())
        .toList();
  }

  private List<String> metricNames() {
    return metrics.stream()
        .flatMap(request -> request.getResourceMetricsList().stream())
        .flatMap(resource -> resource.getScopeMetricsList().stream())
        .filter(scope -> scope.getScope().getName().equals(LockConventions.SCOPE))
        .flatMap(scope -> scope.getMetricsList().stream())
        .map(metric -> metric.getName())
        .toList();
  }
}
