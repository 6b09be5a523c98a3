package io.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.tck.Finding.Kind;
import io.leasehold.tck.RequirementResult.Status;
import io.leasehold.tck.control.Control;
import io.leasehold.tck.control.Controls;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every negative control fails exactly its set of ids. The normal run checks each control for the
 * groups of the ids that it must fail; with {@code -Pfull} it is checked for all groups that it is
 * made for, so that it fails nothing else either.
 */
class ControlsTest {
  private static final boolean FULL = Boolean.getBoolean("leasehold.full");

  /** The runs wait most of the time, so several of them share the machine. */
  private static final int AT_A_TIME = FULL ? 6 : 16;

  private static final ExecutorService THREADS = Executors.newFixedThreadPool(AT_A_TIME);
  private static final Map<String, Future<CertificationReport>> REPORTS = new HashMap<>();

  static List<Control> controls() {
    return FULL ? Controls.all() : Controls.all().stream().map(Control::brief).toList();
  }

  @BeforeAll
  static void runAll() {
    for (Control control : controls()) {
      REPORTS.put(control.name(), THREADS.submit(() -> certify(control)));
    }
  }

  private static CertificationReport certify(Control control) throws Exception {
    CertificationReport report =
        Certification.of(control.subject())
            .only(control.runs())
            .interference(control.client())
            .run();
    report.writeTo(Path.of("target", "controls"));
    return report;
  }

  @AfterAll
  static void stop() {
    THREADS.shutdownNow();
  }

  @ParameterizedTest
  @MethodSource("controls")
  void failsExactlyItsIds(Control control) throws Exception {
    CertificationReport report = Objects.requireNonNull(REPORTS.get(control.name())).get();
    String seen = findings(report);
    assertThat(report.with(Status.FAILED)).as(seen).isEqualTo(control.fails());
    assertThat(report.certified()).isFalse();
    for (RequirementResult result : report.results()) {
      assertThat(result.findings())
          .as("a check that breaks or hangs has caught nothing: %s", seen)
          .noneMatch(finding -> finding.kind() == Kind.BROKEN || finding.kind() == Kind.TIMED_OUT);
    }
  }

  private static String findings(CertificationReport report) {
    StringBuilder text = new StringBuilder("seed " + report.seed());
    for (RequirementResult result : report.results()) {
      result
          .findings()
          .forEach(f -> text.append("\n  ").append(result.requirement()).append(' ').append(f));
    }
    return text.toString();
  }

  @Test
  void everyTestableMustHasAControl() {
    Set<Requirement> needed = EnumSet.noneOf(Requirement.class);
    for (Requirement requirement : Requirement.values()) {
      boolean testable =
          switch (requirement.testing().kind()) {
            case CORE, FAULTS, OFFER, CAPABILITY, QUORUM -> true;
            case UNTESTABLE -> false;
          };
      if (testable && requirement.level() == Requirement.Level.MUST) {
        needed.add(requirement);
      }
    }
    controls().forEach(control -> needed.removeAll(control.fails()));
    assertThat(needed).as("requirements without a negative control").isEmpty();
  }
}
