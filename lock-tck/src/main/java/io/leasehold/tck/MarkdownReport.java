package io.leasehold.tck;

import io.leasehold.tck.RequirementResult.Status;
import java.util.stream.Collectors;

/** A report as Markdown. */
final class MarkdownReport {
  private MarkdownReport() {}

  static String of(CertificationReport report) {
    StringBuilder page = new StringBuilder();
    page.append("# ").append(report.subject()).append(": ");
    page.append(report.certified() ? "certified" : "NOT certified");
    page.append(" at level ").append(report.level().title()).append("\n\n");
    line(page, "Provider", report.provider());
    line(page, "Kit", report.environment().kit());
    line(page, "JDK", report.environment().jdk());
    line(page, "System", report.environment().os());
    line(page, "Started", report.started() + ", took " + report.took().toMillis() + " ms");
    line(page, "Seed", Long.toString(report.seed()));
    page.append("\n| passed | failed | skipped | not run | untestable |\n|---|---|---|---|---|\n|");
    for (Status status : Status.values()) {
      page.append(' ').append(report.with(status).size()).append(" |");
    }
    page.append("\n\n| id | level | status | requirement | remarks |\n|---|---|---|---|---|\n");
    report.results().forEach(result -> row(page, result));
    return page.toString();
  }

  private static void line(StringBuilder page, String what, String value) {
    page.append("- ").append(what).append(": ").append(cell(value)).append('\n');
  }

  private static void row(StringBuilder page, RequirementResult result) {
    Requirement requirement = result.requirement();
    page.append("| ").append(requirement.id());
    page.append(" | ").append(requirement.level());
    page.append(" | ").append(shown(result.status()));
    page.append(" | ").append(cell(requirement.text()));
    page.append(" | ").append(cell(remarks(result))).append(" |\n");
  }

  private static String remarks(RequirementResult result) {
    String findings =
        result.findings().stream().map(Finding::toString).collect(Collectors.joining("; "));
    String seed = result.seed().isPresent() ? "seed " + result.seed().getAsLong() : "";
    String text = result.reason().isEmpty() ? findings : result.reason();
    return text.isEmpty() || seed.isEmpty() ? text + seed : text + " (" + seed + ")";
  }

  private static String shown(Status status) {
    return switch (status) {
      case PASSED -> "passed";
      case FAILED -> "**FAILED**";
      case SKIPPED -> "skipped";
      case NOT_RUN -> "**NOT RUN**";
      case UNTESTABLE -> "untestable";
    };
  }

  /** Text that cannot break the table that it stands in. */
  private static String cell(String text) {
    return text.replace("\\", "\\\\")
        .replace("|", "\\|")
        .replace("<", "&lt;")
        .replaceAll("\\s+", " ")
        .replaceAll(
            "\\p{Cntrl}", "\uFFFD"); // a name may have a NUL in it, which makes a file binary
  }
}
