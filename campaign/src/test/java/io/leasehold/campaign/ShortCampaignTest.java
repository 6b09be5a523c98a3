package io.leasehold.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.logging.LogManager;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A campaign as part of the tests. Its seed is printed; {@code -Dleasehold.campaign.seed} sets it.
 */
class ShortCampaignTest {
  /** What went wrong must be seen: the histories stay when the test fails. */
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder = Path.of("");

  /** The drivers tell of every broken connection at length. */
  @BeforeAll
  static void silence() {
    LogManager.getLogManager().reset();
  }

  private List<RunResult> run(Duration storm, int perSecond, String... names)
      throws InterruptedException {
    long seed = Long.getLong("leasehold.campaign.seed", System.nanoTime());
    System.out.println("The campaign's seed is " + seed);
    List<RunSpec> specs = Stream.of(names).map(RunSpec::named).toList();
    Campaign campaign = new Campaign(specs, seed, folder, perSecond, false, System.out);
    campaign.run(Duration.ofMinutes(20), storm, 1, 4);
    List<RunResult> results = campaign.results().all();
    assertThat(results).hasSameSizeAs(specs);
    return results;
  }

  @Test
  void someTopologiesInAMinute() throws InterruptedException {
    List<RunResult> results =
        run(
            Duration.ofSeconds(12),
            200,
            "jedis-standalone",
            "lettuce-redlock-3",
            "vertx-sentinel",
            "memory",
            "jedis-standalone-unguarded",
            "vertx-standalone-evicting");
    expectGood(results);
  }

  @Test
  @Tag("full")
  void everyTopologyInSomeMinutes() throws InterruptedException {
    List<RunResult> results =
        run(
            Duration.ofSeconds(45),
            400,
            Stream.concat(
                    Stream.of(
                        "memory",
                        "jedis-standalone",
                        "lettuce-tls",
                        "vertx-sentinel",
                        "jedis-cluster",
                        "lettuce-redlock-3",
                        "vertx-redlock-5",
                        "lettuce-sentinel",
                        "vertx-cluster"),
                    RunSpec.races().stream().filter(spec -> !spec.needsClocks()).map(RunSpec::name))
                .toArray(String[]::new));
    expectGood(results);
    Set<String> kinds =
        results.stream()
            .flatMap(result -> result.faults().keySet().stream())
            .collect(Collectors.toSet());
    assertThat(kinds).hasSizeGreaterThan(15);
  }

  private static void expectGood(List<RunResult> results) {
    assertThat(results)
        .allSatisfy(result -> assertThat(result).matches(RunResult::good, "as expected"));
    assertThat(results)
        .filteredOn(result -> !Objects.equals(result.expect(), "race"))
        .allSatisfy(
            result -> {
              assertThat(result.grants()).as(result.name()).isPositive();
              assertThat(result.faults()).as(result.name()).isNotEmpty();
            });
  }
}
