package io.leasehold.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
  @TempDir Path folder = Path.of("");

  static RunResult result(String name, String expect, List<String> violations) {
    return new RunResult(
        name,
        "jedis",
        "standalone",
        "on",
        "-12345678901234567",
        0,
        "2026-11-17T14:00:00Z",
        1_000,
        200,
        100,
        7,
        3,
        Map.of("kill", 2L, "pause-server", 5L),
        violations,
        expect,
        40);
  }

  @Test
  void aResultIsTheSameAfterItWasReadAgain() {
    RunResult result = result("a", "none", List.of("OVERLAP hot-0: \"two\"\nlines \\ ünïcode"));
    Results.in(folder).add(result);
    assertThat(Results.in(folder).all()).containsExactly(result);
  }

  @Test
  void resultsSurviveAnInterruption() throws Exception {
    Results before = Results.in(folder);
    before.add(result("a", "none", List.of()));
    Path file = folder.resolve("results.jsonl");
    String half = Json.write(result("b", "none", List.of()).toJson()).substring(0, 90);
    Files.writeString(file, half, StandardOpenOption.APPEND);

    Results after = Results.in(folder);
    assertThat(after.has("a", 0)).isTrue();
    assertThat(after.has("b", 0)).isFalse();
    after.add(result("c", "none", List.of()));
    assertThat(Results.in(folder).all()).extracting(RunResult::name).containsExactly("a", "c");
  }

  @Test
  void theWholeIsTheSumOfItsRuns() {
    Results results = Results.in(folder);
    results.add(result("a", "none", List.of()));
    results.add(result("b", "race", List.of("OVERLAP hot-0: found")));
    results.add(result("c", "none", List.of("OVERLAP hot-0: bad", "LEFT_HELD: hot-0")));
    Map<String, Object> json = Json.readObject(results.merged("1.0"));
    assertThat(json)
        .containsEntry("kit", "1.0")
        .containsEntry("grants", 300L)
        .containsEntry("operations", 600L)
        .containsEntry("violations", 2L)
        .containsEntry("faults", Map.of("kill", 6L, "pause-server", 15L));
    assertThat(json.get("runs")).asInstanceOf(InstanceOfAssertFactories.LIST).hasSize(3);
  }

  @Test
  void withoutRunsThereIsStillADocument() {
    assertThat(Json.readObject(Results.in(folder).merged("1.0"))).containsEntry("runs", List.of());
  }

  @Test
  void aRaceThatWasNotFoundIsBad() {
    assertThat(result("a", "race", List.of()).good()).isFalse();
    assertThat(result("a", "race", List.of("TOKEN_ORDER a: no")).good()).isFalse();
    assertThat(result("a", "race", List.of("OVERLAP a: yes")).good()).isTrue();
  }

  @Test
  void whereExclusionIsNotPromisedTokensAre() {
    assertThat(result("a", "any", List.of("OVERLAP a: may be")).good()).isTrue();
    assertThat(result("a", "any", List.of("TOKEN_ORDER a: never")).good()).isFalse();
    assertThat(result("a", "any", List.of("TOKEN_ORDER a: never")).bad()).isEqualTo(1);
  }

  @Test
  void whatIsNoObjectIsRefused() {
    for (String text : List.of("", "{", "[]", "{\"a\": }", "{\"a\": 1} x", "nonsense")) {
      assertThatThrownBy(() -> Json.readObject(text)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
