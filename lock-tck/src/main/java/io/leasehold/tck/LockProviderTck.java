package io.leasehold.tck;

import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Certifies a provider in a test run. A subclass says what is to be certified, and can neither
 * override nor leave out anything:
 *
 * <pre>{@code
 * class AcmeTest extends LockProviderTck {
 *   @Override
 *   protected Subject subject() {
 *     return new AcmeSubject();
 *   }
 * }
 * }</pre>
 *
 * There is one test for each requirement, in one container for each group; what does not apply is
 * aborted with its reason. The message of a failed test begins with the id of its requirement. The
 * last test is red unless the provider is certified. The report is written to {@code
 * target/certification}, as Markdown, as JSON, and as a page for a browser.
 */
public abstract class LockProviderTck {

  /** For subclasses. */
  protected LockProviderTck() {}

  /** What is to be certified; called once. */
  protected abstract Subject subject();

  /**
   * Runs the certification and shows its results. Public, so that no subclass, in whichever
   * package, can have a method of this name.
   *
   * @throws InterruptedException when the test run is interrupted
   * @throws IOException when the report cannot be written
   */
  @TestFactory
  public final Stream<DynamicNode> certification() throws InterruptedException, IOException {
    CertificationReport report = Certification.of(subject()).run();
    Path file = report.writeTo(Path.of("target", "certification"));
    Map<String, List<RequirementResult>> groups =
        report.results().stream()
            .collect(
                Collectors.groupingBy(
                    result -> result.requirement().group(),
                    LinkedHashMap::new,
                    Collectors.toList()));
    Stream<DynamicNode> containers =
        groups.entrySet().stream()
            .map(
                group ->
                    dynamicContainer(
                        group.getKey(), group.getValue().stream().map(LockProviderTck::test)));
    return Stream.concat(containers, Stream.of(verdict(report, file)));
  }

  private static DynamicTest test(RequirementResult result) {
    Requirement requirement = result.requirement();
    return dynamicTest(requirement.id() + " " + requirement.text(), () -> show(result));
  }

  private static void show(RequirementResult result) {
    String id = result.requirement().id();
    switch (result.status()) {
      case PASSED -> {}
      case SKIPPED, UNTESTABLE ->
          Assumptions.abort(id + ": " + result.status() + ": " + result.reason());
      case NOT_RUN -> Assertions.fail(id + ": not run: " + result.reason());
      case FAILED -> {
        AssertionError error =
            new AssertionError(
                result.findings().stream()
                        .map(finding -> id + ": " + finding)
                        .collect(Collectors.joining("\n"))
                    + result.seed().stream()
                        .mapToObj(seed -> "\nseed " + seed)
                        .collect(Collectors.joining()));
        result.findings().forEach(finding -> finding.cause().ifPresent(error::addSuppressed));
        throw error;
      }
    }
  }

  private static DynamicTest verdict(CertificationReport report, Path file) {
    return dynamicTest(
        "certified at level " + report.level().title(),
        () ->
            Assertions.assertTrue(
                report.certified(), () -> report.subject() + " is not certified; see " + file));
  }
}
