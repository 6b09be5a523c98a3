package io.leasehold.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockClient;
import io.leasehold.testkit.RedisServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OrdersTest {
  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final String PROVIDER =
      System.getProperty("orders.provider", "provider-lettuce").replace("provider-", "");

  private static final RedisServer REDIS = RedisServer.start();
  private static final EmbeddedServer ONE = instance();
  private static final EmbeddedServer OTHER = instance();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static EmbeddedServer instance() {
    return ApplicationContext.run(
        EmbeddedServer.class,
        Map.of(
            "leasehold.url", "lock:redis://127.0.0.1:" + REDIS.port(),
            "recorded", "true",
            "micronaut.server.port", "-1"));
  }

  @BeforeAll
  static void bothAreThere() {
    assertThat(ONE.getPort()).isNotEqualTo(OTHER.getPort());
  }

  @BeforeEach
  void forget() {
    Recorded.SPANS.reset();
  }

  @AfterAll
  static void stop() {
    ONE.close();
    OTHER.close();
    REDIS.close();
  }

  private static CompletableFuture<HttpResponse<String>> post(EmbeddedServer to, String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(to.getURL() + path))
            .POST(BodyPublishers.noBody())
            .timeout(BOUND)
            .build();
    return HTTP.sendAsync(request, BodyHandlers.ofString());
  }

  private static String get(EmbeddedServer from, String path)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(from.getURL() + path)).timeout(BOUND).build();
    HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body();
  }

  private static long token(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    Matcher token = Pattern.compile("\"token\":(\\d+)").matcher(response.body());
    assertThat(token.find()).as(response.body()).isTrue();
    return Long.parseLong(token.group(1));
  }

  /** Until a payment that takes long has its order. */
  private static CompletableFuture<HttpResponse<String>> slowPayment(String order) {
    CompletableFuture<HttpResponse<String>> slow =
        post(ONE, "/orders/" + order + "/payments?millis=3000");
    LockClient locks = OTHER.getApplicationContext().getBean(LockClient.class);
    await().atMost(BOUND).until(() -> locks.inspect("order:" + order).holder().isPresent());
    return slow;
  }

  @Test
  void paymentsOfOneOrderOnTwoInstancesComeOneAfterTheOther() {
    List<CompletableFuture<HttpResponse<String>>> payments = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      payments.add(post(i % 2 == 0 ? ONE : OTHER, "/orders/42/payments?millis=30"));
    }
    Set<Long> tokens = new HashSet<>();
    payments.forEach(payment -> tokens.add(token(payment.join())));
    assertThat(tokens).hasSize(8);
    assertThat(payments(ONE) + payments(OTHER)).isEqualTo(8);
  }

  private static int payments(EmbeddedServer server) {
    return server.getApplicationContext().getBean(Ledger.class).payments("42");
  }

  @Test
  void theSpanOfALockIsAChildOfTheRequests() {
    token(post(ONE, "/orders/43/payments").join());
    SpanData acquire = span("leasehold acquire");
    SpanData request = spanOf(SpanKind.SERVER);
    assertThat(acquire.getParentSpanId()).isEqualTo(request.getSpanId());
    assertThat(acquire.getTraceId()).isEqualTo(request.getTraceId());
    assertThat(attribute(acquire, "leasehold.provider")).isEqualTo(PROVIDER);
    assertThat(attribute(acquire, "leasehold.topology")).isEqualTo("standalone");
    assertThat(attribute(acquire, "leasehold.lock.name")).isEqualTo("order:{n}");
    SpanData hold = span("leasehold hold");
    assertThat(hold.getTraceId()).isEqualTo(request.getTraceId());
    assertThat(span("leasehold release").getParentSpanId()).isEqualTo(hold.getSpanId());
    assertThat(hold.getEndEpochNanos() - hold.getStartEpochNanos())
        .as("a hold lasts as long as the work")
        .isGreaterThanOrEqualTo(Duration.ofMillis(50).toNanos());
  }

  @Test
  void reactiveAndStagedWorkHoldsTheLockUntilItIsDoneAndHasTheSameParent() {
    for (String path : List.of("/orders/44/shipments", "/orders/44/refunds")) {
      Recorded.SPANS.reset();
      token(post(ONE, path + "?millis=200").join());
      SpanData hold = span("leasehold hold");
      assertThat(hold.getEndEpochNanos() - hold.getStartEpochNanos())
          .as(path)
          .isGreaterThanOrEqualTo(Duration.ofMillis(200).toNanos());
      assertThat(span("leasehold acquire").getParentSpanId())
          .as(path)
          .isEqualTo(spanOf(SpanKind.SERVER).getSpanId());
    }
  }

  @Test
  void whoDoesNotWaitIsToldThatTheOrderIsBusy() {
    CompletableFuture<HttpResponse<String>> slow = slowPayment("45");
    assertThat(post(OTHER, "/orders/45/shipments").join().statusCode()).isEqualTo(409);
    assertThat(post(OTHER, "/orders/45/audits").join().statusCode()).isEqualTo(204);
    token(slow.join());
    assertThat(post(OTHER, "/orders/45/audits").join().statusCode()).isEqualTo(200);
    await()
        .atMost(BOUND)
        .untilAsserted(
            () ->
                assertThat(Recorded.SPANS.getFinishedSpanItems())
                    .filteredOn(span -> span.getName().equals("leasehold acquire"))
                    .extracting(span -> attribute(span, "leasehold.acquire.outcome"))
                    .contains("busy"));
  }

  @Test
  void theEndpointListsWhatIsHeldAndByWhom() throws Exception {
    CompletableFuture<HttpResponse<String>> slow = slowPayment("46");
    assertThat(get(OTHER, "/locks?pattern=order:46")).contains("order:46").contains("orders");
    token(slow.join());
  }

  @Test
  void healthTellsOfTheServers() throws Exception {
    assertThat(get(ONE, "/health")).contains("leasehold").contains("UP").doesNotContain("DOWN");
  }

  @Test
  void whatIsMeasuredHasItsNames() {
    token(post(ONE, "/orders/47/payments").join());
    await().atMost(BOUND).until(() -> measured().contains("leasehold.lock.hold.duration"));
    assertThat(measured()).contains("leasehold.lock.acquire.duration", "leasehold.lock.held");
  }

  @Test
  void aLeaseThatIsLostInTheMiddleIsSeen() {
    CompletableFuture<HttpResponse<String>> slow = slowPayment("48");
    OTHER
        .getApplicationContext()
        .getBean(LockClient.class)
        .forceRelease("order:48", "to see what happens");
    slow.join();
    SpanData hold = span("leasehold hold");
    assertThat(hold.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(attribute(hold, "leasehold.lock.loss_reason")).isEqualToIgnoringCase("forced");
    await().atMost(BOUND).until(() -> losses().contains("forced"));
  }

  private static Set<String> measured() {
    Set<String> names = new HashSet<>();
    Recorded.METRICS.collectAllMetrics().forEach(metric -> names.add(metric.getName()));
    return names;
  }

  /** The reasons of all losses that were counted. */
  private static Set<String> losses() {
    Set<String> reasons = new HashSet<>();
    for (MetricData metric : Recorded.METRICS.collectAllMetrics()) {
      if (metric.getName().equals("leasehold.lock.losses")) {
        metric
            .getLongSumData()
            .getPoints()
            .forEach(
                point ->
                    reasons.add(
                        point
                            .getAttributes()
                            .get(AttributeKey.stringKey("leasehold.lock.loss_reason"))));
      }
    }
    return reasons;
  }

  @Test
  void theReportIsWrittenByOneOfTheInstances() {
    await().atMost(BOUND).until(() -> reports(ONE) + reports(OTHER) > 0);
    assertThat(reports(ONE) + reports(OTHER)).isEqualTo(1);
  }

  private static int reports(EmbeddedServer server) {
    return server.getApplicationContext().getBean(DailyReport.class).runs();
  }

  private static String attribute(SpanData span, String key) {
    return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(key)));
  }

  private static SpanData span(String name) {
    return first(span -> span.getName().equals(name));
  }

  private static SpanData spanOf(SpanKind kind) {
    return first(span -> span.getKind() == kind);
  }

  private static SpanData first(Predicate<SpanData> wanted) {
    return await()
        .atMost(BOUND)
        .until(
            () -> Recorded.SPANS.getFinishedSpanItems().stream().filter(wanted).toList(),
            spans -> !spans.isEmpty())
        .get(0);
  }
}
