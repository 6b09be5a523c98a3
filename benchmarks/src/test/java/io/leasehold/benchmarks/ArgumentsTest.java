package io.leasehold.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.measure.Scenario;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {
  private static Arguments parse(String line) {
    return Arguments.parse(line.isEmpty() ? List.of() : List.of(line.split(" ", -1)));
  }

  @Test
  void withoutArgumentsEverythingIsRunInFull() {
    Arguments none = parse("");
    assertThat(none.quick()).isFalse();
    assertThat(none.help()).isFalse();
    assertThat(none.only()).containsExactlyInAnyOrder(Scenario.values());
    assertThat(none.who()).containsExactlyInAnyOrder(Contestant.values());
    assertThat(none.rounds()).isEmpty();
    assertThat(none.out()).isEmpty();
  }

  @Test
  void allOptionsAreUnderstood() {
    Arguments all =
        parse("--quick --only one-lock,held --only jmh --who jedis --rounds 7 --out /tmp/r");
    assertThat(all.quick()).isTrue();
    assertThat(all.only())
        .containsExactlyInAnyOrder(Scenario.ONE_LOCK, Scenario.HELD, Scenario.JMH);
    assertThat(all.who()).containsExactly(Contestant.JEDIS);
    assertThat(all.rounds()).hasValue(7);
    assertThat(all.out()).contains(Path.of("/tmp/r"));
    assertThat(parse("--help").help()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--fast",
        "--rounds",
        "--rounds 0",
        "--rounds -1",
        "--rounds many",
        "--only everything",
        "--only",
        "--who zookeeper",
        "extra"
      })
  void whatIsNotUnderstoodIsNamed(String line) {
    String wrong = line.substring(line.lastIndexOf(' ') + 1);
    assertThatThrownBy(() -> parse(line))
        .isInstanceOf(Arguments.Wrong.class)
        .hasMessageContaining(wrong);
  }

  @Test
  void theUsageNamesEveryScenarioAndContestant() {
    for (Scenario scenario : Scenario.values()) {
      assertThat(Arguments.USAGE).contains(scenario.id());
    }
    for (Contestant contestant : Contestant.values()) {
      assertThat(Arguments.USAGE).contains(contestant.id());
    }
  }
}
