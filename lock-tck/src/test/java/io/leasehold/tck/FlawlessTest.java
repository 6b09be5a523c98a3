package io.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.InspectReply;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.tck.RequirementResult.Status;
import io.leasehold.tck.toy.QuorumRules;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.toy.ToyQuorum;
import io.leasehold.tck.wire.ForwardingNode;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Correct providers pass everything. */
@Execution(ExecutionMode.CONCURRENT)
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

  @Test
  void aLateGrantThatIsGoneAtTheNextInspectionBreaksNoRule() throws Exception {
    Toy toy = new Toy("late-grant", (self, node, url, context) -> new LateGrants(node));
    Set<Requirement> some = EnumSet.of(Requirement.INSP_1);
    CertificationReport report = Certification.of(toy).only(some).run();
    assertThat(report.with(Status.PASSED)).as(report.toMarkdown()).isEqualTo(some);
  }

  /** Reports another holder at the first inspection after a release, and at no later one. */
  private static final class LateGrants extends ForwardingNode {
    private static final Set<String> LATE = ConcurrentHashMap.newKeySet();

    LateGrants(LockNode node) {
      super(node);
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
      LATE.add(request.name());
      return super.release(request);
    }

    @Override
    public CompletionStage<InspectReply> inspect(String name) {
      boolean late = LATE.remove(name);
      return super.inspect(name)
          .thenApply(
              reply ->
                  late && reply instanceof Inspection seen
                      ? new Inspection(
                          Optional.of(new Inspection.Holder("late", 1_000)),
                          seen.fence() + 1,
                          seen.waiters(),
                          seen.serverMicros())
                      : reply);
    }
  }

  private static void assertPassed(CertificationReport report) throws Exception {
    report.writeTo(Path.of("target", "certification"));
    Set<Requirement> bad = EnumSet.noneOf(Requirement.class);
    bad.addAll(report.with(Status.FAILED));
    bad.addAll(report.with(Status.NOT_RUN));
    assertThat(bad).as(report.toMarkdown()).isEmpty();
  }
}
