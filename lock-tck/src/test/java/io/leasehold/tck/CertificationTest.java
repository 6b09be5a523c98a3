package io.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LocksBuilder;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.LockNode;
import io.leasehold.tck.RequirementResult.Status;
import io.leasehold.tck.checks.Catalogue;
import io.leasehold.tck.checks.Check;
import io.leasehold.tck.toy.QuorumRules;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.toy.ToyQuorum;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The rules by which a certificate is given. */
class CertificationTest {
  private static final Set<Requirement> SOME =
      EnumSet.of(Requirement.SAFE_6, Requirement.FENCE_2, Requirement.FENCE_10);

  /** A toy that offers nothing but a name and a URL. */
  private static Subject bare() {
    Toy toy = Toy.flawless("bare");
    return new Subject() {
      @Override
      public String name() {
        return toy.name();
      }

      @Override
      public String url() {
        return toy.url();
      }

      @Override
      public LocksBuilder builder() {
        return toy.builder();
      }
    };
  }

  private static CertificationReport some() throws InterruptedException {
    return Certification.of(bare()).only(SOME).seed(42).run();
  }

  @Test
  void whatAppliesAndWasNotRunPreventsACertificate() throws InterruptedException {
    CertificationReport report = some();
    assertThat(report.with(Status.PASSED)).isEqualTo(SOME);
    assertThat(report.with(Status.FAILED)).isEmpty();
    assertThat(report.result(Requirement.SAFE_1).status()).isEqualTo(Status.NOT_RUN);
    assertThat(report.result(Requirement.SAFE_1).prevents()).isTrue();
    assertThat(report.certified()).isFalse();
  }

  @Test
  void everyRequirementIsInTheReport() throws InterruptedException {
    CertificationReport report = some();
    assertThat(report.results()).hasSameSizeAs(Requirement.values());
    for (RequirementResult result : report.results()) {
      switch (result.status()) {
        case PASSED -> assertThat(result.checks()).isNotEmpty();
        case FAILED -> assertThat(result.findings()).isNotEmpty();
        case SKIPPED, NOT_RUN, UNTESTABLE -> assertThat(result.reason()).isNotBlank();
      }
    }
  }

  @Test
  void aSubjectWithoutFaultsIsCertifiedAtLevelCoreAndTheFaultsAreSkippedWithItsReason()
      throws InterruptedException {
    CertificationReport report = some();
    assertThat(report.level()).isEqualTo(CertificationLevel.CORE);
    RequirementResult result = report.result(Requirement.LIVE_B_7);
    assertThat(result.status()).isEqualTo(Status.SKIPPED);
    assertThat(result.reason()).isEqualTo("the subject offers no faults");
    assertThat(result.prevents()).isFalse();
  }

  @Test
  void aKindOfLockThatIsNotDeclaredIsSkippedWithThatReason() throws InterruptedException {
    Subject quorum = ToyQuorum.of("quorum-of-plain-locks", new QuorumRules());
    CertificationReport report = Certification.of(quorum).only(SOME).run();
    RequirementResult result = report.result(Requirement.SEM_1);
    assertThat(result.status()).isEqualTo(Status.SKIPPED);
    assertThat(result.reason()).isEqualTo("the node does not declare SEMAPHORES");
    assertThat(result.prevents()).isFalse();
  }

  @Test
  void aCheckThatNeedsAQuorumIsNotRunOnOneNode() throws InterruptedException {
    String sentence = "a released lock is gone from every node";
    Set<Requirement> one = EnumSet.of(Requirement.LIVE_A_2);
    CertificationReport node = Certification.of(bare()).only(one).run();
    assertThat(node.result(Requirement.LIVE_A_2).status()).isEqualTo(Status.PASSED);
    assertThat(node.result(Requirement.LIVE_A_2).checks()).doesNotContain(sentence);
    ToyQuorum subject = ToyQuorum.of("quorum", new QuorumRules());
    CertificationReport quorum = Certification.of(subject).only(one).run();
    assertThat(quorum.result(Requirement.LIVE_A_2).checks()).contains(sentence);
  }

  @Test
  void whatIsNotOnlyForAQuorumHasChecksThatNeedNone() {
    Set<Requirement> without = EnumSet.noneOf(Requirement.class);
    Set<Requirement> checked = EnumSet.noneOf(Requirement.class);
    for (Check check : Catalogue.checks()) {
      checked.addAll(check.requirements());
      if (check.needs().isEmpty()) {
        without.addAll(check.requirements());
      }
    }
    checked.removeIf(requirement -> requirement.testing().kind() == Testing.Kind.QUORUM);
    assertThat(without).isEqualTo(checked);
  }

  @Test
  void theSeedIsToldForWhatDrawsRandomNumbersAndOnlyThere() throws InterruptedException {
    CertificationReport report = some();
    assertThat(report.seed()).isEqualTo(42);
    assertThat(report.result(Requirement.FENCE_2).seed()).hasValue(42);
    assertThat(report.result(Requirement.SAFE_6).seed()).isEmpty();
  }

  @Test
  void aSubjectThatCannotBeOpenedIsNotCertifiedAndNothingIsSkipped() throws InterruptedException {
    Subject nowhere =
        new Subject() {
          @Override
          public String name() {
            return "nowhere";
          }

          @Override
          public String url() {
            return "lock:nowhere://nothing";
          }
        };
    CertificationReport report = Certification.of(nowhere).run();
    assertThat(report.certified()).isFalse();
    assertThat(report.with(Status.SKIPPED)).isEmpty();
    assertThat(report.with(Status.PASSED)).isEmpty();
    assertThat(report.result(Requirement.SAFE_1).reason()).contains("nowhere://");
  }

  @Test
  void oneClientWarmsTheSubjectUpBeforeTheChecksBegin() throws InterruptedException {
    List<LockNode> granting = Collections.synchronizedList(new ArrayList<>());
    Toy toy =
        new Toy(
            "cold",
            (self, node, url, context) ->
                new ForwardingNode(node) {
                  @Override
                  public CompletionStage<GrantReply> grant(GrantRequest request) {
                    granting.add(this);
                    return super.grant(request);
                  }
                });
    Certification.of(toy).only(EnumSet.of(Requirement.SAFE_1)).run();
    assertThat(granting.subList(0, 100)).containsOnly(granting.get(0));
    assertThat(granting.stream().filter(node -> node == granting.get(0)).count())
        .isLessThanOrEqualTo(200);
  }

  @Test
  void progressIsToldForEveryCheck() throws InterruptedException {
    List<Progress> told = new ArrayList<>();
    Certification.of(bare()).only(SOME).onProgress(told::add).run();
    assertThat(told).isNotEmpty().allMatch(Progress::passed);
    assertThat(told.get(told.size() - 1).done())
        .isEqualTo(told.size())
        .isEqualTo(told.get(0).total());
  }

  @Test
  void aSkipNeedsAReason() {
    assertThatThrownBy(() -> Offer.none(" ")).isInstanceOf(IllegalArgumentException.class);
    for (Status status : List.of(Status.SKIPPED, Status.NOT_RUN, Status.UNTESTABLE)) {
      assertThatThrownBy(() -> RequirementResult.without(Requirement.SAFE_1, status, ""))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void passedAndFailedNeedEvidence() {
    for (Status status : List.of(Status.PASSED, Status.FAILED)) {
      assertThatThrownBy(() -> RequirementResult.without(Requirement.SAFE_1, status, "so be it"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
