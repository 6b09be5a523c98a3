package io.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.tck.RequirementResult.Status;
import io.leasehold.tck.toy.QuorumRules;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.toy.ToyQuorum;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Correct providers pass everything. */
class FlawlessTest {

  @Test
  void aCorrectToyIsCertifiedAsFaultTested() throws Exception {
    CertificationReport report = Certification.of(Toy.flawless("toy")).run();
    assertPassed(report);
    assertThat(report.level()).isEqualTo(CertificationLevel.FAULT_TESTED);
  }

  @Test
  void aCorrectToyWithAGuardIsCertifiedAsFaultTestedToo() throws Exception {
    Toy guarded = Toy.guarded("guarded-toy", (toy, node, url, context) -> node);
    CertificationReport report = Certification.of(guarded).run();
    assertPassed(report);
    assertThat(report.level()).isEqualTo(CertificationLevel.FAULT_TESTED);
    assertThat(report.with(Status.PASSED))
        .contains(Requirement.SAFE_10, Requirement.SAFE_11, Requirement.SAFE_13);
  }

  @Test
  void aCorrectQuorumIsCertifiedAsFaultTestedAndNothingOfItIsSkipped() throws Exception {
    Subject quorum = ToyQuorum.of("toy-quorum", new QuorumRules());
    CertificationReport report = Certification.of(quorum).run();
    assertPassed(report);
    assertThat(report.level()).isEqualTo(CertificationLevel.FAULT_TESTED);
    assertThat(Requirement.values())
        .filteredOn(requirement -> requirement.testing().kind() == Testing.Kind.QUORUM)
        .hasSize(9)
        .isSubsetOf(report.with(Status.PASSED));
  }

  private static void assertPassed(CertificationReport report) throws Exception {
    report.writeTo(Path.of("target", "certification"));
    Set<Requirement> bad = EnumSet.noneOf(Requirement.class);
    bad.addAll(report.with(Status.FAILED));
    bad.addAll(report.with(Status.NOT_RUN));
    assertThat(bad).as(report.toMarkdown()).isEmpty();
  }
}
