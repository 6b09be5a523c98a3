package io.leasehold.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "0s, PT0S",
    "250ms, PT0.25S",
    "5s, PT5S",
    "2m, PT2M",
    "1h, PT1H",
    "1d, PT24H",
    "PT1M30S, PT1M30S"
  })
  void durationsCarryAUnitOrAreIso(String text, String iso) {
    assertThat(Durations.parse(text)).isEqualTo(Duration.parse(iso));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "5",
        "5 s",
        "-5s",
        "5w",
        "s",
        "PT-5S",
        "1.5s",
        "9999999999999999s",
        "999999999999999d"
      })
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> Durations.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "' is not a duration");
  }
}
