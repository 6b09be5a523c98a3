package io.leasehold.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.Strictness;
import io.leasehold.LockListener.AcquireCall;
import io.leasehold.LockObserver.AttemptOutcome;
import io.leasehold.LossReason;
import io.leasehold.opentelemetry.LockConventions.Keys;
import io.leasehold.opentelemetry.LockConventions.Metrics;
import io.leasehold.opentelemetry.LockConventions.Units;
import io.leasehold.spi.NodeAnswer;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documents say what the code does. */
class DocumentsTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern IN_PROMETHEUS = Pattern.compile("leasehold_lock_[a-z_]+");
  private static final Pattern LABELS = Pattern.compile("\\b(?:leasehold|error)_[a-z_]+\\b");

  private static String read(String file) throws IOException {
    return Files.readString(DOCS.resolve(file));
  }

  private static JsonObject dashboard() throws IOException {
    return new GsonBuilder()
        .setStrictness(Strictness.STRICT)
        .create()
        .fromJson(read("grafana/leasehold.json"), JsonObject.class);
  }

  /** All texts of this key, wherever they are. */
  private static Stream<String> texts(JsonElement element, String key) {
    if (element instanceof JsonArray array) {
      return array.asList().stream().flatMap(each -> texts(each, key));
    }
    if (element instanceof JsonObject object) {
      return object.entrySet().stream()
          .flatMap(
              entry ->
                  entry.getKey().equals(key) && entry.getValue().isJsonPrimitive()
                      ? Stream.of(entry.getValue().getAsString())
                      : texts(entry.getValue(), key));
    }
    return Stream.empty();
  }

  private static List<MetricData> everyMetric() {
    try (Observatory observatory = new Observatory()) {
      MetricsTest.everything(LockTelemetry.create(observatory.api()));
      return observatory.metrics();
    }
  }

  /** The names under which Prometheus has a metric. */
  private static List<String> inPrometheus(MetricData metric) {
    String name = metric.getName().replace('.', '_');
    if (metric.getType() == MetricDataType.HISTOGRAM) {
      return List.of(name + "_seconds_bucket", name + "_seconds_sum", name + "_seconds_count");
    }
    return List.of(metric.getLongSumData().isMonotonic() ? name + "_total" : name);
  }

  @Test
  void theDashboardUsesEveryMetricAndNoOther() throws IOException {
    Set<String> used = new TreeSet<>();
    texts(dashboard(), "expr")
        .map(IN_PROMETHEUS::matcher)
        .flatMap(Matcher::results)
        .map(found -> found.group())
        .filter(name -> !labels().contains(name))
        .forEach(used::add);
    Set<String> known = new TreeSet<>();
    for (MetricData metric : everyMetric()) {
      List<String> names = inPrometheus(metric);
      known.addAll(names);
      assertThat(used).as(metric.getName()).containsAnyElementsOf(names);
    }
    assertThat(known).containsAll(used);
  }

  @Test
  void theDashboardUsesOnlyLabelsThatThereAre() throws IOException {
    List<String> queries =
        Stream.of("expr", "query", "definition").flatMap(DocumentsTest::dashboardTexts).toList();
    Set<String> known = new TreeSet<>(labels());
    everyMetric().forEach(metric -> known.addAll(inPrometheus(metric)));
    assertThat(queries).isNotEmpty();
    for (String query : queries) {
      Matcher labels = LABELS.matcher(query);
      while (labels.find()) {
        assertThat(known).as(query).contains(labels.group());
      }
    }
  }

  private static Stream<String> dashboardTexts(String key) {
    try {
      return texts(dashboard(), key);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Set<String> labels() {
    Set<String> labels = new TreeSet<>();
    Constants.strings(Keys.class).forEach(key -> labels.add(key.replace('.', '_')));
    return labels;
  }

  @Test
  void theDashboardLetsOneChooseItsDatasourceAndGivesEachPanelAnId() throws IOException {
    JsonObject dashboard = dashboard();
    assertThat(texts(dashboard.get("templating"), "type")).contains("datasource");
    assertThat(texts(dashboard.get("panels"), "uid")).isNotEmpty().containsOnly("${datasource}");
    List<Integer> ids = new ArrayList<>();
    dashboard
        .getAsJsonArray("panels")
        .forEach(p -> ids.add(p.getAsJsonObject().get("id").getAsInt()));
    assertThat(ids).doesNotHaveDuplicates();
  }

  /** The row of a table that begins with this name, by its cells. */
  private static List<String> row(String name) throws IOException {
    return read("telemetry.md")
        .lines()
        .filter(line -> line.startsWith("| `" + name + "` |"))
        .map(line -> Arrays.stream(line.split("\\|")).map(String::strip).skip(1).toList())
        .findFirst()
        .orElseThrow(() -> new AssertionError("docs/telemetry.md has no row for " + name));
  }

  @Test
  void everyMetricIsInItsTableWithUnitAttributesAndCardinality() throws IOException {
    for (MetricData metric : everyMetric()) {
      List<String> row = row(metric.getName());
      assertThat(row).as(metric.getName()).hasSize(6).noneMatch(String::isBlank);
      assertThat(row.get(2)).isEqualTo("`" + metric.getUnit() + "`");
      metric.getData().getPoints().stream()
          .flatMap(point -> point.getAttributes().asMap().keySet().stream())
          .filter(key -> !Set.of(Keys.PROVIDER, Keys.TOPOLOGY, Keys.KIND).contains(key))
          .forEach(key -> assertThat(row.get(3)).contains("`" + key.getKey() + "`"));
      assertThat(row.get(4)).matches(".*\\d.*");
    }
    assertThat(Constants.strings(Metrics.class)).hasSize(everyMetric().size());
    assertThat(Constants.strings(Units.class))
        .containsExactlyInAnyOrderElementsOf(
            everyMetric().stream().map(MetricData::getUnit).distinct().toList());
  }

  @Test
  void everySpanEventAndAttributeIsInItsTable() throws IOException {
    for (String name : Constants.strings(LockConventions.Spans.class)) {
      assertThat(row(name)).as(name).hasSize(4).noneMatch(String::isBlank);
    }
    for (String name : Constants.strings(LockConventions.Events.class)) {
      assertThat(row(name)).as(name).hasSize(4).noneMatch(String::isBlank);
    }
    for (String name : Constants.strings(Keys.class)) {
      assertThat(row(name)).as(name).hasSize(5).noneMatch(String::isBlank);
    }
  }

  @Test
  void everyValueOfAnAttributeIsListed() throws IOException {
    assertValues(Keys.OUTCOME.getKey(), Outcome.values());
    assertValues(Keys.LEASE_END.getKey(), LeaseEnd.values());
    assertValues(Keys.LOSS_REASON.getKey(), LossReason.values());
    assertValues(Keys.KIND.getKey(), AcquireCall.Kind.values());
    assertValues(Keys.MODE.getKey(), AcquireCall.Mode.values());
    assertValues(Keys.ATTEMPT_OUTCOME.getKey(), AttemptOutcome.values());
    assertValues(Keys.VOTE_ANSWER.getKey(), NodeAnswer.Kind.values());
  }

  private static void assertValues(String key, Enum<?>... values) throws IOException {
    for (Enum<?> value : values) {
      assertThat(row(key).get(2)).as(key).contains("`" + Outcome.value(value) + "`");
    }
    assertThat(row(key).get(3)).as(key).isEqualTo(String.valueOf(values.length));
  }

  @Test
  void everyOutcomeIsExplained() throws IOException {
    for (Outcome outcome : Outcome.values()) {
      assertThat(row(outcome.value())).as(outcome.value()).hasSize(4);
      assertThat(row(outcome.value()).get(2)).isEqualTo(outcome.isError() ? "error" : "unset");
    }
  }
}
