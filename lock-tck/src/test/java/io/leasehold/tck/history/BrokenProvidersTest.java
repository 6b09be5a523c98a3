package io.leasehold.tck.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.tck.Requirement;
import io.leasehold.tck.Subject;
import io.leasehold.tck.bench.Interference;
import io.leasehold.tck.control.Control;
import io.leasehold.tck.control.Controls;
import io.leasehold.tck.history.broken.Finders;
import io.leasehold.tck.history.broken.Finders.Finder;
import io.leasehold.tck.history.broken.Scenario;
import io.leasehold.tck.history.broken.Workshop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each broken provider of the SAFE, FENCE, LEASE and LIVE controls is found by its history within a
 * minute, and the same workloads on what is not broken show nothing.
 */
class BrokenProvidersTest {
  private static final Set<String> GROUPS = Set.of("SAFE", "FENCE", "LEASE", "LIVE-A", "LIVE-B");
  private static final Duration A_MINUTE = Duration.ofSeconds(60);

  /** They wait most of the time. */
  private static final int AT_A_TIME = 40;

  private static final ExecutorService THREADS = Executors.newFixedThreadPool(AT_A_TIME);
  private static final Map<String, Future<List<Violation>>> RUNS = new HashMap<>();

  /** What depends on nobody being slow. */
  private static final Set<Rule> LATENESS =
      EnumSet.of(Rule.STARVED, Rule.HOARDED, Rule.UNEXPLAINED_LOSS, Rule.LOSS_MISTOLD);

  static List<Control> controls() {
    return Controls.all().stream()
        .filter(control -> control.fails().stream().anyMatch(BrokenProvidersTest::isMeant))
        .toList();
  }

  private static boolean isMeant(Requirement requirement) {
    return GROUPS.contains(requirement.group());
  }

  static List<Control> seen() {
    return controls().stream()
        .filter(control -> !Finders.unseen().containsKey(control.name()))
        .toList();
  }

  static List<Scenario> scenarios() {
    return Finders.scenarios();
  }

  @BeforeAll
  static void runAll(@TempDir Path folder) {
    for (Control control : seen()) {
      Finder finder = Objects.requireNonNull(Finders.found().get(control.name()), control.name());
      RUNS.put(
          control.name(),
          THREADS.submit(
              () -> untilFound(finder, control, folder.resolve(control.name().replace(' ', '-')))));
    }
    for (Scenario scenario : scenarios()) {
      RUNS.put(
          scenario.name(),
          THREADS.submit(() -> flawless(scenario, folder.resolve("flawless-" + scenario.name()))));
    }
  }

  @AfterAll
  static void stop() {
    THREADS.shutdownNow();
  }

  /** Does the same again and again, until what is expected is found or the minute is over. */
  private static List<Violation> untilFound(Finder finder, Control control, Path folder)
      throws Exception {
    long end = System.nanoTime() + A_MINUTE.toNanos();
    List<Violation> violations = List.of();
    for (int i = 0; !isFound(finder, violations) && System.nanoTime() - end < 0; i++) {
      Path own = folder.resolve(Integer.toString(i));
      violations = violations(finder.scenario(), control.subject(), control.client(), own);
    }
    return violations;
  }

  private static List<Violation> violations(
      Scenario scenario, Subject subject, Interference interference, Path folder) throws Exception {
    Files.createDirectories(folder);
    try (Workshop shop = new Workshop(scenario.on(), subject, interference, folder)) {
      scenario.body().run(shop);
      return HistoryChecker.check(shop.history(), scenario.bounds()).violations();
    }
  }

  private static boolean isFound(Finder finder, List<Violation> violations) {
    return violations.stream().anyMatch(violation -> finder.rules().contains(violation.rule()));
  }

  /** Of a machine that stands still, nobody can say who was late: it is done again then. */
  private static List<Violation> flawless(Scenario scenario, Path folder) throws Exception {
    List<Violation> violations = List.of();
    for (int i = 0; i < 4; i++) {
      boolean stalled;
      try (Stalls stalls = new Stalls()) {
        Subject subject = scenario.on().flawless("flawless");
        Path own = folder.resolve(Integer.toString(i));
        violations = violations(scenario, subject, Interference.NONE, own);
        stalled = stalls.longest().compareTo(Duration.ofMillis(500)) > 0;
      }
      boolean late = violations.stream().allMatch(found -> LATENESS.contains(found.rule()));
      if (violations.isEmpty() || !late || !stalled) {
        return violations;
      }
    }
    return violations;
  }

  @ParameterizedTest
  @MethodSource("seen")
  void aFlawIsFoundInItsHistory(Control control) throws Exception {
    Finder finder = Objects.requireNonNull(Finders.found().get(control.name()));
    List<Violation> violations = Objects.requireNonNull(RUNS.get(control.name())).get();
    assertThat(isFound(finder, violations))
        .as("%s by %s: %s", finder.rules(), finder.scenario(), violations)
        .isTrue();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void whatIsNotBrokenShowsNothing(Scenario scenario) throws Exception {
    assertThat(Objects.requireNonNull(RUNS.get(scenario.name())).get()).isEmpty();
  }

  @Test
  void everyControlIsFoundOrHasAReasonWhyNot() {
    Set<String> names = new HashSet<>();
    controls().forEach(control -> names.add(control.name()));
    Set<String> known = new HashSet<>(Finders.found().keySet());
    assertThat(known).doesNotContainAnyElementsOf(Finders.unseen().keySet());
    known.addAll(Finders.unseen().keySet());
    assertThat(known).isEqualTo(names);
    assertThat(Finders.unseen().values()).noneMatch(String::isBlank);
  }
}
