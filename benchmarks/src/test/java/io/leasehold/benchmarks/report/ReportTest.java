package io.leasehold.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.measure.Measurement;
import io.leasehold.benchmarks.measure.Metric;
import io.leasehold.benchmarks.measure.Results;
import io.leasehold.benchmarks.measure.Scenario;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  private final Results results = new Results();

  @BeforeEach
  void measure() {
    for (int round = 1; round <= 3; round++) {
      add(Contestant.JEDIS, round, 1_000 * round, 1);
      add(Contestant.REDISSON, round, 100 * round, 4.5);
    }
    results.failed("one | two\nthree");
  }

  private void add(Contestant who, int round, double rate, double calls) {
    results.add(
        new Measurement(
            Scenario.ONE_LOCK,
            who,
            round,
            Map.of(Metric.RATE, rate, Metric.CLIENT_CALLS, calls, Metric.ERRORS, 0.0)));
  }

  @Test
  void theCsvHasEachNumberOfEachRound() {
    assertThat(Csv.of(results).lines())
        .startsWith(
            "scenario,contestant,round,metric,value",
            "one-lock,jedis,1,rate,1000.0",
            "one-lock,jedis,1,client_calls,1.0",
            "one-lock,jedis,1,errors,0.0",
            "one-lock,redisson,1,rate,100.0")
        .hasSize(1 + 6 * 3);
    assertThat(Csv.line("a,b", "say \"c\"", "d")).isEqualTo("\"a,b\",\"say \"\"c\"\"\",d\n");
  }

  @Test
  void thePageHasTargetsAndATableOfMedians() {
    String page =
        Markdown.of(results, Map.of("machine", "2 cores"), Map.of(Scenario.ONE_LOCK, "one.png"));
    assertThat(page)
        .contains("| machine | 2 cores |")
        .contains("## What must be seen")
        .contains("cycles a second ÷ Redisson RLock | at least 5 | 10 | met |")
        .contains("| at least 4 |  | not measured |")
        .contains("![16 threads of one process on one lock](one.png)")
        .contains("| medians | cycles/s | client calls/cycle |\n|---|---|---|\n")
        .contains("| Leasehold on Jedis | 2,000 | 1.00 |")
        .contains("| Redisson RLock | 200 | 4.50 |")
        .contains("- one \\| two three")
        .doesNotContain("4 processes × 4 threads on one lock");
  }

  @Test
  void allFilesAreWritten(@TempDir Path folder) throws Exception {
    Path out = folder.resolve("new/results");
    Report.write(results, Map.of(), out);
    assertThat(out.resolve("results.md")).content().contains("one-lock.png");
    assertThat(out.resolve("results.csv")).isNotEmptyFile();
    assertThat(Files.readAllBytes(out.resolve("one-lock.png"))).startsWith(0x89, 'P', 'N', 'G');
  }
}
