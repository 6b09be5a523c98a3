package io.leasehold.provider.redlock.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.leasehold.provider.redlock.model.Verdict.Breaks;
import io.leasehold.provider.redlock.model.Verdict.Holds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The models in {@code docs/model} hold where they should, are not empty, and break where something
 * is taken away. Numbers of states and lengths of counter-examples are those in the README there.
 */
class ModelTest {
  /** The algorithm: no state that can be reached violates what is asked for. */
  private static final Map<String, Verdict> HOLDS =
      Map.ofEntries(
          holds("fencing", 75_086),
          holds("fencing-any-aim", 11_114),
          holds("leases-drift", 23_063));

  /** What must be reachable: the property that says "never" is violated. */
  private static final Map<String, Verdict> REACHES =
      Map.ofEntries(
          breaks("clocks-reach-restart", "NeverAfterRestart", 8),
          breaks("fencing-reach-two-rounds", "NeverInTwoRounds", 5),
          breaks("leases-reach-late-release", "NeverALateRelease", 9));

  /** Something is taken away, and the property that needs it is violated. */
  private static final Map<String, Verdict> MUTANTS =
      Map.ofEntries(
          breaks("clocks-mutant-no-ceiling", "TokensFollowTime", 8),
          breaks("clocks-mutant-short-quarantine", "TokensFollowTime", 7),
          breaks("fencing-mutant-half-quorum", "TokensAreUnique", 5),
          breaks("fencing-mutant-one-owner-id", "TokensAreUnique", 7),
          breaks("fencing-mutant-raise-any-owner", "TokensAreUnique", 7),
          breaks("leases-mutant-first-round-only", "OneHolder", 11),
          breaks("leases-mutant-no-drift", "OneHolder", 10),
          breaks("leases-mutant-recreate", "HolderIsNewest", 17));

  /**
   * What the second tier adds: larger worlds, a limit of the algorithm, and the other things that
   * must be reachable or missed.
   */
  private static final Map<String, Verdict> FULL =
      Map.ofEntries(
          holds("clocks-amnesia", 103_541),
          holds("fencing-raise-any-owner-above", 8_590),
          holds("leases", 192_226),
          breaks("clocks-reach-two-rounds", "NeverInTwoRounds", 4),
          breaks("fencing-reach-late", "NeverLate", 4),
          breaks("leases-reach-extended", "NeverExtended", 10),
          breaks("leases-reach-restart", "NeverAfterRestart", 11),
          breaks("clocks-mutant-no-floor", "TokensFollowTime", 7),
          breaks("clocks-mutant-raise-unseen", "TokensAreUnique", 8),
          breaks("clocks-mutant-short-quarantine-back", "TokensFollowTime", 9),
          breaks("clocks-mutant-short-retention", "TokensFollowTime", 6),
          breaks("fencing-mutant-fence-stands", "TokensAreUnique", 5),
          breaks("fencing-mutant-raise-any-owner-above", "HeldFencesAreLeftAlone", 6),
          breaks("leases-mutant-half-quorum", "OneHolder", 9),
          breaks("leases-mutant-late-extension", "HolderIsNewest", 18),
          breaks("leases-mutant-one-owner-id", "OneHolder", 12),
          breaks("leases-mutant-recreate-in-time", "OneHolder", 16),
          breaks("leases-mutant-short-quarantine", "OneHolder", 11),
          holds("clocks-back-step", 95_576),
          holds("clocks-full-raise-floor", 55_055),
          breaks("clocks-mutant-long-lease", "TokensAreUnique", 10),
          holds("clocks-retention", 51_025),
          breaks("clocks-reach-retention", "NeverAfterRetention", 7),
          breaks("fencing-reach-all", "NeverAllSucceed", 5),
          breaks("fencing-reach-one-round", "NeverInOneRound", 3),
          breaks("leases-reach-late-grant", "NeverALateGrant", 4),
          breaks("leases-reach-successor", "NeverASuccessor", 11),
          breaks("clocks-mutant-bursts", "TokensFollowTime", 9),
          holds("fencing-full", 500_547),
          holds("leases-full-recreate", 192_226));

  private static ExecutorService checkers;

  @BeforeAll
  static void open() {
    checkers = Executors.newFixedThreadPool(2);
  }

  @AfterAll
  static void close() {
    checkers.shutdownNow();
  }

  static List<Arguments> algorithm() {
    return checking(HOLDS, Duration.ofMinutes(10));
  }

  static List<Arguments> reachable() {
    return checking(REACHES, Duration.ofMinutes(10));
  }

  static List<Arguments> mutants() {
    return checking(MUTANTS, Duration.ofMinutes(10));
  }

  static List<Arguments> large() {
    return checking(FULL, Duration.ofMinutes(40));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("algorithm")
  void theAlgorithmHolds(String name, Verdict expected, Future<Verdict> found) throws Exception {
    assertThat(found.get()).as(name).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("reachable")
  void theModelIsNotEmpty(String name, Verdict expected, Future<Verdict> found) throws Exception {
    assertThat(found.get()).as(name).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void whatIsTakenAwayIsMissed(String name, Verdict expected, Future<Verdict> found)
      throws Exception {
    assertThat(found.get()).as(name).isEqualTo(expected);
  }

  @Tag("full")
  @ParameterizedTest(name = "{0}")
  @MethodSource("large")
  void theSecondTierHoldsAndBreaksAsItMust(String name, Verdict expected, Future<Verdict> found)
      throws Exception {
    assertThat(found.get()).as(name).isEqualTo(expected);
  }

  @Test
  void everyConfigurationInTheFolderIsChecked() throws IOException {
    try (Stream<Path> files = Files.list(Tlc.MODELS)) {
      List<String> configurations =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".cfg"))
              .map(name -> name.substring(0, name.length() - ".cfg".length()))
              .toList();
      assertThat(Stream.of(HOLDS, REACHES, MUTANTS, FULL).flatMap(cases -> cases.keySet().stream()))
          .containsExactlyInAnyOrderElementsOf(configurations);
    }
  }

  @Test
  void outputThatProvesNothingIsAFailure() {
    String completed = "Model checking completed. No error has been found.\n";
    String end = "9 states generated, 7 distinct states found, 0 states left on queue.\n";
    String violated = "Error: Invariant OneHolder is violated.\nState 1: <Init>\nState 2: <Next>\n";
    assertThat(Verdict.of(0, completed + end)).isEqualTo(new Holds(7));
    assertThat(Verdict.of(12, violated + end)).isEqualTo(new Breaks("OneHolder", 2));
    assertThat(
            List.of(
                Verdict.of(0, ""),
                Verdict.of(0, completed),
                Verdict.of(0, end),
                Verdict.of(1, completed + end),
                Verdict.of(0, violated),
                Verdict.of(11, "Error: Deadlock reached.\nState 1: <Init>\n" + end),
                Verdict.of(150, "***Parse Error***\n"),
                Verdict.of(12, "Error: Invariant OneHolder is violated by the initial state:\n"),
                Verdict.of(12, violated + violated)))
        .hasOnlyElementsOfType(Verdict.Failed.class);
  }

  /** All of them begin at once, two at a time; each is awaited by its own test. */
  private static List<Arguments> checking(Map<String, Verdict> cases, Duration limit) {
    return new TreeMap<>(cases)
        .entrySet().stream()
            .map(
                one ->
                    arguments(
                        one.getKey(),
                        one.getValue(),
                        checkers.submit(() -> Tlc.check(one.getKey(), limit))))
            .toList();
  }

  private static Map.Entry<String, Verdict> holds(String configuration, long distinctStates) {
    return Map.entry(configuration, new Holds(distinctStates));
  }

  private static Map.Entry<String, Verdict> breaks(
      String configuration, String property, int states) {
    return Map.entry(configuration, new Breaks(property, states));
  }
}
