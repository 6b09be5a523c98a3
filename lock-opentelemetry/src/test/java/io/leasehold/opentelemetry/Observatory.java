package io.leasehold.opentelemetry;

import static org.awaitility.Awaitility.await;

import io.leasehold.Locks;
import io.leasehold.LocksBuilder;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** An SDK that keeps what it gets, and what to ask of it. */
final class Observatory implements AutoCloseable {
  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final InMemoryMetricReader metrics = InMemoryMetricReader.create();
  private final String url = "lock:mem://t" + UUID.randomUUID();
  final OpenTelemetrySdk sdk;

  Observatory() {
    this(Sampler.alwaysOn());
  }

  Observatory(Sampler sampler) {
    sdk =
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .setSampler(sampler)
                    .addSpanProcessor(SimpleSpanProcessor.create(spans))
                    .build())
            .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(metrics).build())
            .build();
  }

  /** Locks of one space, that tell only what the test wants to hear. */
  LocksBuilder silentLocks() {
    return Locks.builder().url(url).discoverListeners(false);
  }

  /** Locks of the same space, observed. */
  LocksBuilder locks() {
    return locks(LockNames.hidden());
  }

  LocksBuilder locks(LockNames names) {
    return silentLocks().listener(LockTelemetry.builder(sdk).lockNames(names).build());
  }

  OpenTelemetry api() {
    return sdk;
  }

  Span begin(String name) {
    return sdk.getTracer("application").spanBuilder(name).startSpan();
  }

  /** Does something while a span is the current one. */
  static <T> T within(Span span, Callable<T> work) throws Exception {
    return Context.root().with(span).wrap(work).call();
  }

  /** The one span of this name, once it has ended. */
  SpanData span(String name) {
    eventually(() -> ended(name).size() >= 1);
    List<SpanData> ended = ended(name);
    if (ended.size() != 1) {
      throw new AssertionError("one span expected: " + ended);
    }
    return ended.get(0);
  }

  List<SpanData> spans(String name, int count) {
    eventually(() -> ended(name).size() >= count);
    return ended(name);
  }

  List<SpanData> ended(String name) {
    return spans.getFinishedSpanItems().stream().filter(s -> s.getName().equals(name)).toList();
  }

  List<MetricData> metrics() {
    return List.copyOf(metrics.collectAllMetrics());
  }

  Optional<MetricData> metric(String name) {
    return metrics().stream().filter(metric -> metric.getName().equals(name)).findAny();
  }

  List<Attributes> attributes(String metric) {
    return metric(metric).stream()
        .flatMap(data -> data.getData().getPoints().stream())
        .map(PointData::getAttributes)
        .toList();
  }

  /** The sum over all series of a metric; of a histogram, how many values it has. */
  long total(String metric) {
    return metric(metric).stream().mapToLong(data -> total(data, null, "")).sum();
  }

  /** The sum over the series of a metric that have this value. */
  long total(String metric, AttributeKey<String> key, String value) {
    return metric(metric).stream().mapToLong(data -> total(data, key, value)).sum();
  }

  private static long total(MetricData data, @Nullable AttributeKey<String> key, String value) {
    boolean histogram = data.getType() == MetricDataType.HISTOGRAM;
    List<? extends PointData> points =
        List.copyOf(
            histogram ? data.getHistogramData().getPoints() : data.getLongSumData().getPoints());
    return points.stream()
        .filter(point -> key == null || value.equals(point.getAttributes().get(key)))
        .mapToLong(
            point ->
                point instanceof HistogramPointData counted
                    ? counted.getCount()
                    : ((LongPointData) point).getValue())
        .sum();
  }

  static void eventually(Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(30)).until(condition);
  }

  @Override
  public void close() {
    sdk.close();
  }
}
