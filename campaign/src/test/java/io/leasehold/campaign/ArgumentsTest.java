package io.leasehold.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentsTest {

  @Test
  void withoutAnyAllRunsForAnHour() {
    Arguments arguments = Arguments.parse(List.of());
    assertThat(arguments.total()).isEqualTo(Duration.ofHours(1));
    assertThat(arguments.on()).isEqualTo(RunSpec.all());
    assertThat(arguments.replay()).isEmpty();
  }

  @Test
  void aRunIsReplayedByItsSeed() {
    Arguments arguments =
        Arguments.parse(List.of("--replay", "-6529155595267708535", "--on", "jedis-sentinel"));
    assertThat(arguments.replay()).hasValue(-6529155595267708535L);
    assertThat(arguments.on()).extracting(RunSpec::name).containsExactly("jedis-sentinel");
  }

  @Test
  void aReplayNeedsOneRun() {
    assertThatThrownBy(() -> Arguments.parse(List.of("--replay", "1")))
        .isInstanceOf(Arguments.Wrong.class)
        .hasMessageContaining("--on");
  }

  @Test
  void whatIsUnknownIsNamed() {
    assertThatThrownBy(() -> Arguments.parse(List.of("--on", "jedis-moon")))
        .isInstanceOf(Arguments.Wrong.class)
        .hasMessageContaining("jedis-moon");
    assertThatThrownBy(() -> Arguments.parse(List.of("--minuets", "3")))
        .isInstanceOf(Arguments.Wrong.class)
        .hasMessageContaining("--minuets");
    assertThatThrownBy(() -> Arguments.parse(List.of("--minutes", "0")))
        .isInstanceOf(Arguments.Wrong.class)
        .hasMessageContaining("number");
    assertThatThrownBy(() -> Arguments.parse(List.of("--out")))
        .isInstanceOf(Arguments.Wrong.class)
        .hasMessageContaining("value");
  }

  @Test
  void theOtherOptions() {
    Arguments arguments =
        Arguments.parse(
            List.of(
                "--minutes",
                "5",
                "--seed",
                "9",
                "--out",
                "there",
                "--seconds",
                "20",
                "--parallel",
                "2",
                "--keep"));
    assertThat(arguments.total()).isEqualTo(Duration.ofMinutes(5));
    assertThat(arguments.seed()).hasValue(9);
    assertThat(arguments.out()).isEqualTo(Path.of("there"));
    assertThat(arguments.seconds()).contains(Duration.ofSeconds(20));
    assertThat(arguments.parallel()).isEqualTo(2);
    assertThat(arguments.keep()).isTrue();
  }

  @Test
  void everyRunHasANameOfItsOwn() {
    List<String> names = RunSpec.all().stream().map(RunSpec::name).toList();
    assertThat(new HashSet<>(names)).hasSameSizeAs(names);
    assertThat(names)
        .contains("memory", "vertx-redlock-5", "jedis-standalone-unguarded", "lettuce-tls");
    assertThat(Arguments.USAGE).contains(names);
  }
}
