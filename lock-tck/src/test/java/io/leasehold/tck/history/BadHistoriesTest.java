package io.leasehold.tck.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * For every rule, histories that break it, and those nearest to them that do not: those of {@code
 * histories.txt}. What is about waiting is in {@link WaitingHistoriesTest}.
 */
class BadHistoriesTest {
  /** Leases of up to 10 s; whoever waits is served within 2 s; a fault explains 1 s after it. */
  private static final HistoryBounds BOUNDS =
      HistoryBounds.of(Duration.ofSeconds(2), Duration.ofSeconds(10))
          .withSettling(Duration.ofSeconds(1));

  /**
   * A history, and what is found in it.
   *
   * @param name what happens
   * @param breaks the rules that it breaks, each once
   */
  private record Case(String name, HistoryBounds bounds, Set<Rule> breaks, String text) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Case> cases() throws IOException {
    List<Case> cases = new ArrayList<>();
    try (InputStream in = BadHistoriesTest.class.getResourceAsStream("histories.txt")) {
      String all = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      for (String each : all.replaceAll("(?m)^#.*\n", "").split("(?m)^=== ", -1)) {
        if (!each.isBlank()) {
          cases.add(read(each));
        }
      }
    }
    return cases;
  }

  private static Case read(String text) {
    HistoryBounds bounds = BOUNDS;
    Set<Rule> breaks = EnumSet.noneOf(Rule.class);
    StringBuilder events = new StringBuilder();
    List<String> lines = text.lines().toList();
    for (String line : lines.subList(1, lines.size())) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "breaks" -> breaks.add(Rule.valueOf(words[1]));
        case "tolerated" -> bounds = bounds.withTolerated(Integer.parseInt(words[1]));
        case "settling" ->
            bounds = bounds.withSettling(Duration.ofMillis(Long.parseLong(words[1])));
        default -> events.append(line).append('\n');
      }
    }
    return new Case(lines.get(0), bounds, breaks, events.toString());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void exactlyTheBrokenRulesAreFound(Case history) {
    HistoryVerdict verdict =
        HistoryChecker.check(Written.history(history.text()), history.bounds());
    assertThat(verdict.violations().stream().map(Violation::rule).toList())
        .as("%s", verdict.violations())
        .containsExactlyInAnyOrderElementsOf(history.breaks());
  }

  @Test
  void everyRuleHasAHistoryThatBreaksIt() throws IOException {
    Set<Rule> broken = EnumSet.copyOf(WaitingHistoriesTest.broken());
    cases().forEach(history -> broken.addAll(history.breaks()));
    assertThat(broken).containsExactlyInAnyOrder(Rule.values());
  }
}
