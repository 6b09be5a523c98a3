package io.leasehold.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.opentelemetry.LockConventions.Keys;
import io.leasehold.opentelemetry.LockConventions.Metrics;
import io.leasehold.opentelemetry.LockConventions.Spans;
import io.opentelemetry.api.common.Attributes;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockNamesTest {
  private final Observatory observatory = new Observatory();

  @AfterEach
  void close() {
    observatory.close();
  }

  private void observe(LockNames names) {
    MetricsTest.everything(LockTelemetry.builder(observatory.api()).lockNames(names).build());
  }

  private List<String> onSpans() {
    return observatory.spans(Spans.ACQUIRE, 2).stream()
        .map(span -> span.getAttributes().get(Keys.NAME))
        .filter(Objects::nonNull)
        .toList();
  }

  private List<String> onMetrics() {
    return observatory.metrics().stream()
        .flatMap(metric -> observatory.attributes(metric.getName()).stream())
        .map(attributes -> attributes.get(Keys.NAME))
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  @Test
  void hiddenIsTheDefaultAndTellsNoName() {
    observe(LockNames.hidden());
    assertThat(onSpans()).isEmpty();
    assertThat(onMetrics()).isEmpty();
  }

  @Test
  void fullNamesAreOnSpansAndNeverOnMetrics() {
    observe(LockNames.full());
    assertThat(onSpans()).containsExactly("order:42", "order:43");
    assertThat(onMetrics()).isEmpty();
  }

  @Test
  void templatedNamesAreOnSpansAndMetricsButNotOnVotes() {
    observe(LockNames.templated());
    assertThat(onSpans()).containsExactly("order:{n}", "order:{n}");
    assertThat(onMetrics()).containsExactly("order:{n}");
    assertThat(observatory.attributes(Metrics.VOTES))
        .extracting((Attributes attributes) -> attributes.get(Keys.NAME))
        .containsOnlyNulls();
  }

  @Test
  void aTemplateOfTheApplicationDecidesWhatIsTold() {
    observe(LockNames.template(name -> name.substring(0, name.indexOf(':'))));
    assertThat(onSpans()).containsExactly("order", "order");
    assertThat(onMetrics()).containsExactly("order");
  }

  @Test
  void aTemplateThatThrowsHidesTheNameAndNothingElse() {
    observe(
        LockNames.template(
            name -> {
              throw new IllegalStateException(name);
            }));
    assertThat(onSpans()).containsOnly(LockConventions.OTHER);
    assertThat(observatory.total(Metrics.ACQUIRE_DURATION)).isEqualTo(2);
  }

  @Test
  void aTemplateWithTooManyResultsDoesNotFloodTheMetrics() {
    LockTelemetry telemetry =
        LockTelemetry.builder(observatory.api())
            .lockNames(LockNames.template(name -> name))
            .build();
    for (int i = 0; i < 3 * SeriesCache.MOST_NAMES; i++) {
      telemetry
          .start(ObserverTest.call("order:" + i))
          .failed(new io.leasehold.LockObserver.Moment(1, 1), new InterruptedException());
    }
    assertThat(onMetrics()).hasSize(SeriesCache.MOST_NAMES + 1).contains(LockConventions.OTHER);
    assertThat(onSpans()).hasSize(3 * SeriesCache.MOST_NAMES).doesNotContain(LockConventions.OTHER);
  }

  @ParameterizedTest
  @CsvSource({
    "order:42, order:{n}",
    "prices, prices",
    "shard7/orders, shard{n}/orders",
    "user:123e4567-e89b-12d3-a456-426614174000:cart, user:{uuid}:cart",
    "blob:9f86d081884c7d659a2feaa0c55ad015, blob:{hex}",
    "blob:507F1F77BCF86CD799439011, blob:{hex}",
    "deadbeef, deadbeef",
    "facade:2026-01-31, facade:{n}-{n}-{n}",
    "a1b2c3, a{n}b{n}c{n}",
    "99999999999999999999, {n}",
    "$1\\x, ${n}\\x"
  })
  void whatLooksLikeAnIdIsReplaced(String name, String template) {
    assertThat(LockNames.templated().shown(name)).isEqualTo(template);
  }

  @Test
  void theSettingIsThePropertyThenTheVariableThenHidden() {
    assertThat(NamesSetting.read(null, null)).isSameAs(LockNames.hidden());
    assertThat(NamesSetting.read("full", "templated")).isSameAs(LockNames.full());
    assertThat(NamesSetting.read(null, " Templated ")).isSameAs(LockNames.templated());
    assertThat(NamesSetting.read("hidden", "full")).isSameAs(LockNames.hidden());
    assertThat(NamesSetting.read("everything", null)).isSameAs(LockNames.hidden());
  }
}
