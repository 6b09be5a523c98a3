package io.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LocksBuilder;
import io.leasehold.spi.Capability;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.Vouching;
import io.leasehold.tck.RequirementResult.Status;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Interference;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.bench.Voucher;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.toy.ToyQuorum;
import io.leasehold.tck.wire.ForwardingNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** When the kit vouches for servers, and when it does not. */
@Execution(ExecutionMode.CONCURRENT)
class VouchingTest {
  private static final Duration TTL = Duration.ofSeconds(5);

  private final Toy toy = Toy.guarded("guarded", (self, node, url, context) -> node);
  private final Voucher voucher = Voucher.of(toy, EnumSet.of(Capability.GUARD));

  @BeforeEach
  void serversAreKnown() throws InterruptedException {
    voucher.vouch();
  }

  private Bench bench() {
    return new Bench(toy, Interference.NONE, voucher, 1);
  }

  private static Object grant(Bench bench) throws InterruptedException {
    return bench.newNode().grant(bench.name(), bench.owner(), TTL);
  }

  @Test
  void aCheckFindsServersThatGrantAfterARestartAndAfterALossOfState() throws InterruptedException {
    try (Bench bench = bench()) {
      bench.faults().restart();
      assertThat(grant(bench)).isInstanceOf(Granted.class);
      bench.faults().loseState();
      assertThat(grant(bench)).isInstanceOf(Granted.class);
    }
  }

  @Test
  void aCheckOfTheGuardFindsItUntilItVouches() throws InterruptedException {
    try (Bench bench = bench()) {
      bench.restartWithoutVouching();
      assertThat(grant(bench)).isInstanceOf(Guarded.class);
      bench.vouch();
      assertThat(grant(bench)).isInstanceOf(Granted.class);
      bench.loseStateWithoutVouching();
      assertThat(grant(bench)).isInstanceOf(Guarded.class);
    }
    try (Bench next = bench()) {
      assertThat(grant(next)).as("a grant in the next check").isInstanceOf(Granted.class);
    }
  }

  @Test
  void serversThatAreRestartedToHealAreVouchedForToo() throws InterruptedException {
    try (Bench bench = bench()) {
      bench.faults().kill();
    }
    try (Bench next = bench()) {
      assertThat(grant(next)).isInstanceOf(Granted.class);
    }
  }

  @Test
  void nobodyVouchesForASubjectWithoutAGuard() throws InterruptedException {
    AtomicInteger opened = new AtomicInteger();
    Subject bare =
        new Subject() {
          @Override
          public String name() {
            return "bare";
          }

          @Override
          public String url() {
            return toy.url();
          }

          @Override
          public LocksBuilder builder() {
            opened.incrementAndGet();
            return toy.builder();
          }
        };
    Voucher.of(bare, EnumSet.of(Capability.FENCING)).vouch();
    assertThat(opened).hasValue(0);
  }

  @Test
  void aGuardThatNobodyCanVouchForIsNotCertified() throws InterruptedException {
    Toy deaf = Toy.guarded("deaf", (self, node, url, context) -> withoutVouching(node));
    CertificationReport report = Certification.of(deaf).only(Set.of(Requirement.SAFE_6)).run();
    assertThat(report.certified()).isFalse();
    assertThat(report.result(Requirement.SAFE_6).status()).isEqualTo(Status.NOT_RUN);
    assertThat(report.result(Requirement.SAFE_6).reason()).contains("does not offer Vouching");
  }

  @Test
  void serversThatForgetTheirLocksAtARestartNeedAGuard() throws InterruptedException {
    Set<Requirement> restart = EnumSet.of(Requirement.SAFE_14);
    Toy forgetful = Toy.guarded("forgetful", (self, node, url, context) -> node);
    forgetful.state().atRestart(forgetful.server()::loseState);
    CertificationReport report = Certification.of(forgetful).only(restart).run();
    assertThat(report.with(Status.PASSED)).as(report.toMarkdown()).isEqualTo(restart);
  }

  private static Bench benchOf(ToyQuorum quorum) throws InterruptedException {
    Voucher ofAll = Voucher.of(quorum, EnumSet.of(Capability.GUARD));
    ofAll.vouch();
    return new Bench(quorum, Interference.NONE, ofAll, 1);
  }

  /** What the servers of a quorum, each for itself, answer to a client with a guard. */
  private static List<Class<?>> grants(ToyQuorum quorum) throws InterruptedException {
    Voucher nobody = Voucher.of(quorum, Set.of());
    List<Class<?>> replies = new ArrayList<>();
    try (Bench bench = new Bench(quorum, Interference.NONE, nobody, 1)) {
      for (int i = 0; i < quorum.size(); i++) {
        Opening guarded = bench.client().url(quorum.nodeUrl(i)).option("guard", "on");
        replies.add(bench.newNode(guarded).grant(bench.name(), bench.owner(), TTL).getClass());
      }
    }
    return replies;
  }

  @Test
  void serversOfAQuorumThatACheckHasLeftBrokenAreMendedAndVouchedFor() throws InterruptedException {
    ToyQuorum quorum = ToyQuorum.guarded("quorum");
    try (Bench bench = benchOf(quorum)) {
      bench.members().faults(0).kill();
      bench.members().faults(1).pause();
      bench.members().faults(2).blackHole();
      bench.members().faults(3).loseState();
    }
    assertThat(grants(quorum)).hasSize(5).containsOnly(Granted.class);
  }

  @Test
  void serversOfAQuorumAreVouchedForAsSoonAsNoneIsBroken() throws InterruptedException {
    ToyQuorum quorum = ToyQuorum.guarded("quorum");
    try (Bench bench = benchOf(quorum)) {
      bench.members().faults(0).loseState();
      assertThat(grants(quorum)).hasSize(5).containsOnly(Granted.class);
      bench.members().faults(1).pause();
      bench.members().faults(2).loseState();
      bench.members().faults(1).resume();
      assertThat(grants(quorum)).hasSize(5).containsOnly(Granted.class);
    }
  }

  @Tag("full")
  @Test
  void whatNeedsFaultsOfSingleServersPassesOnAQuorumWithAGuard() throws InterruptedException {
    Set<Requirement> some =
        EnumSet.of(
            Requirement.SAFE_2,
            Requirement.SAFE_10,
            Requirement.LIVE_B_1,
            Requirement.LIVE_B_2,
            Requirement.LIVE_B_3,
            Requirement.FENCE_3);
    CertificationReport report =
        Certification.of(ToyQuorum.guarded("guarded-quorum")).only(some).run();
    assertThat(report.with(Status.PASSED)).as(report.toMarkdown()).isEqualTo(some);
  }

  private static LockNode withoutVouching(LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public <C> Optional<C> offer(Class<C> kind) {
        return kind == Vouching.class ? Optional.empty() : super.offer(kind);
      }
    };
  }
}
