package io.leasehold.tck;

import io.leasehold.tck.RequirementResult.Status;
import io.leasehold.tck.page.CertificationPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a certification found: one result for every requirement there is.
 *
 * @param subject the name of what was certified
 * @param provider how the subject's node calls itself
 * @param level how much a certificate would say
 * @param seed of all random numbers; {@link Certification#seed} draws them again
 * @param environment where it ran
 * @param started when
 * @param took how long it took
 * @param results one for each requirement, in order
 */
public record CertificationReport(
    String subject,
    String provider,
    CertificationLevel level,
    long seed,
    Environment environment,
    Instant started,
    Duration took,
    List<RequirementResult> results) {

  /** Checks that every requirement is there. */
  public CertificationReport {
    results = List.copyOf(results);
    List<Requirement> listed = results.stream().map(RequirementResult::requirement).toList();
    if (!listed.equals(List.of(Requirement.values()))) {
      throw new IllegalArgumentException("a report lists every requirement once, in order");
    }
  }

  /** Whether every testable MUST of the level passed. What applies and was not run did not. */
  public boolean certified() {
    return results.stream().noneMatch(RequirementResult::prevents);
  }

  /** The result of one requirement. */
  public RequirementResult result(Requirement requirement) {
    return results.stream().filter(r -> r.requirement() == requirement).findFirst().orElseThrow();
  }

  /** The requirements of which this became. */
  public Set<Requirement> with(Status status) {
    Set<Requirement> found = EnumSet.noneOf(Requirement.class);
    results.stream().filter(r -> r.status() == status).forEach(r -> found.add(r.requirement()));
    return found;
  }

  /** The report for machines. */
  public String toJson() {
    return JsonReport.of(this);
  }

  /** The report for people. */
  public String toMarkdown() {
    return MarkdownReport.of(this);
  }

  /**
   * Writes the report as Markdown, as JSON, and as a page for a browser. {@link CertificationPage}
   * makes one page of many.
   *
   * @param directory made if need be
   * @return the Markdown file; the others lie beside it
   * @throws IOException when they cannot be written
   */
  public Path writeTo(Path directory) throws IOException {
    Files.createDirectories(directory);
    String base = subject.replaceAll("[^A-Za-z0-9._-]", "-");
    String json = toJson();
    Files.writeString(directory.resolve(base + ".json"), json);
    CertificationPage.ofReport(json).writeTo(directory.resolve(base + ".html"));
    return Files.writeString(directory.resolve(base + ".md"), toMarkdown());
  }
}
