package io.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.tck.RequirementResult.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The forms of a report. */
class ReportTest {

  private static CertificationReport report(RequirementResult... special) {
    List<RequirementResult> results = new ArrayList<>();
    for (Requirement requirement : Requirement.values()) {
      RequirementResult result =
          new RequirementResult(
              requirement, Status.PASSED, "", List.of("a check"), List.of(), OptionalLong.empty());
      for (RequirementResult other : special) {
        result = other.requirement() == requirement ? other : result;
      }
      results.add(result);
    }
    return new CertificationReport(
        "acme/redis",
        "acme \"one\"",
        CertificationLevel.FAULT_TESTED,
        Long.MIN_VALUE,
        new Environment("1.0", "17", "Linux"),
        Instant.parse("2026-11-16T00:00:00Z"),
        Duration.ofMillis(1_234),
        results);
  }

  private static RequirementResult failed() {
    Finding finding =
        new Finding("a sentence", Finding.Kind.VIOLATION, "1 | 2\n<b>\0", Optional.empty());
    return new RequirementResult(
        Requirement.SAFE_1,
        Status.FAILED,
        "",
        List.of("a sentence"),
        List.of(finding),
        OptionalLong.of(7));
  }

  @Test
  void markdownShowsTheVerdictAndEveryId() {
    String page =
        report(RequirementResult.without(Requirement.SAFE_4, Status.SKIPPED, "no replica"))
            .toMarkdown();
    assertThat(page).startsWith("# acme/redis: certified at level Fault-tested");
    assertThat(page).contains("| SAFE-4 | MUST | skipped |").contains("no replica");
    for (Requirement requirement : Requirement.values()) {
      assertThat(page).contains("\n| " + requirement.id() + " | ");
    }
  }

  @Test
  void aFindingCannotBreakTheTable() {
    String page = report(failed()).toMarkdown();
    assertThat(page).contains("NOT certified").contains("**FAILED**");
    assertThat(page).contains("a sentence: 1 \\| 2 &lt;b>\uFFFD (seed 7) |");
  }

  @Test
  void jsonIsQuotedAndListsEveryId() {
    String json = report(failed()).toJson();
    assertThat(json).contains("\"provider\": \"acme \\\"one\\\"\"");
    assertThat(json)
        .contains("\"certified\": false")
        .contains("\"seed\": \"-9223372036854775808\"");
    assertThat(json).contains("1 | 2\\u000a<b>\\u0000").contains("\"status\": \"FAILED\"");
    for (Requirement requirement : Requirement.values()) {
      assertThat(json).contains("{\"id\": \"" + requirement.id() + "\"");
    }
  }

  @Test
  void everyFormIsWrittenUnderAPlainName(@TempDir Path directory) throws IOException {
    Path page = report().writeTo(directory.resolve("deep"));
    assertThat(page.getFileName()).hasToString("acme-redis.md");
    assertThat(Files.readString(page.resolveSibling("acme-redis.json"))).startsWith("{");
    assertThat(Files.readString(page.resolveSibling("acme-redis.html")))
        .startsWith("<!doctype html>")
        .contains("<th scope=\"row\">acme/redis</th><td>✓ certified</td>");
  }

  @Test
  void aReportWithoutAnIdIsNoReport() {
    List<RequirementResult> all = report().results();
    CertificationReport whole = report();
    assertThatThrownBy(
            () ->
                new CertificationReport(
                    whole.subject(),
                    whole.provider(),
                    whole.level(),
                    whole.seed(),
                    whole.environment(),
                    whole.started(),
                    whole.took(),
                    all.subList(1, all.size())))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
