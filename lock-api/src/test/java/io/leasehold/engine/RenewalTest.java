package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LeaseLoss;
import io.leasehold.LockClient;
import io.leasehold.LockOptions;
import io.leasehold.LossReason;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.NotHeld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class RenewalTest {
  private final EngineFixture engine = new EngineFixture();
  private final LockClient client = engine.open();
  private final List<LossReason> losses = new CopyOnWriteArrayList<>();

  private Lease acquire(LockOptions options) {
    Lease lease = client.lock("a", options).tryAcquire().orElseThrow();
    lease.onLost((LeaseLoss loss) -> losses.add(loss.reason()));
    return lease;
  }

  private void told(LossReason reason) {
    await().atMost(Duration.ofSeconds(5)).until(() -> !losses.isEmpty());
    assertThat(losses).containsExactly(reason);
  }

  @Test
  void aLeaseIsRenewedEachThirdOfItsTime() {
    Lease lease = acquire(LockOptions.defaults());
    engine.time.advance(Duration.ofMillis(9_900));
    assertThat(engine.node.extensions).isEmpty();
    engine.time.advance(Duration.ofMillis(200));
    assertThat(engine.node.extensions).hasSize(1);
    assertThat(lease.remaining()).isGreaterThan(Duration.ofMillis(29_000));
    engine.time.advance(Duration.ofMinutes(10));
    assertThat(engine.node.extensions).hasSizeBetween(59, 62);
    assertThat(lease.isHeld()).isTrue();
  }

  @Test
  void renewalsOfManyLeasesTravelTogether() {
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < 1_200; i++) {
      leases.add(client.lock("lock-" + i).tryAcquire().orElseThrow());
    }
    engine.time.advance(Duration.ofSeconds(11));
    assertThat(engine.node.extensions).hasSize(3); // batches of 500, 500 and 200
    assertThat(leases).allMatch(Lease::isHeld);
  }

  @Test
  void aRenewalThatFailsIsTriedAgainUntilTheValidityEnds() {
    engine.node.onExtend = request -> new Failed(FailureKind.TIMEOUT, "silence");
    Lease lease = acquire(LockOptions.defaults());
    engine.time.advance(Duration.ofMillis(29_600));
    assertThat(engine.node.extensions).hasSizeGreaterThan(5);
    assertThat(lease.isHeld()).isTrue();
    assertThat(losses).isEmpty();
    engine.time.advance(Duration.ofMillis(200)); // 30 s less 1 % less 2 ms
    assertThat(lease.isHeld()).isFalse();
    told(LossReason.RENEWAL_FAILED);
  }

  @Test
  void aServerThatNeverAnswersCannotHideTheEnd() {
    engine.node.silentExtend = true;
    Lease lease = acquire(LockOptions.defaults());
    engine.time.advance(Duration.ofSeconds(30));
    told(LossReason.RENEWAL_FAILED);
    assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
  }

  @Test
  void aRenewalThatSucceedsAfterFailuresKeepsTheLease() {
    engine.node.onExtend = request -> new Failed(FailureKind.CONNECTION_LOST, "cut");
    Lease lease = acquire(LockOptions.defaults());
    engine.time.advance(Duration.ofSeconds(20));
    engine.node.onExtend = request -> new Extended(engine.node.micros());
    engine.time.advance(Duration.ofMinutes(2));
    assertThat(lease.isHeld()).isTrue();
    assertThat(losses).isEmpty();
  }

  @Test
  void aLeaseThatTheServerNoLongerKnowsIsLostAtTheNextRenewal() {
    engine.node.onExtend = request -> new NotHeld(NotHeld.Cause.TAKEN, engine.node.micros());
    Lease lease = acquire(LockOptions.defaults());
    engine.time.advance(Duration.ofMillis(10_100));
    assertThat(lease.isHeld()).isFalse();
    told(LossReason.TAKEN);
    assertThat(engine.node.releases).as("what is not ours is left alone").isEmpty();
  }

  @Test
  void aForcedReleaseIsToldAsSuch() {
    engine.node.onExtend = request -> new NotHeld(NotHeld.Cause.FORCED, engine.node.micros());
    acquire(LockOptions.defaults());
    engine.time.advance(Duration.ofSeconds(11));
    told(LossReason.FORCED);
  }

  @Test
  void withoutRenewalTheLeaseEndsWithItsTimeAndNothingIsSent() {
    Lease lease = acquire(LockOptions.defaults().withoutRenewal());
    engine.time.advance(Duration.ofMillis(29_690));
    assertThat(lease.isHeld()).isTrue();
    engine.time.advance(Duration.ofMillis(20));
    told(LossReason.EXPIRED);
    assertThat(lease.remaining()).isZero();
    assertThat(engine.node.extensions).isEmpty();
  }

  @Test
  void theMaximumHoldEndsALeaseThatIsRenewed() {
    Lease lease = acquire(LockOptions.defaults().withMaxHold(Duration.ofMinutes(2)));
    engine.time.advance(Duration.ofSeconds(119));
    assertThat(lease.isHeld()).isTrue();
    engine.time.advance(Duration.ofMillis(1_100));
    told(LossReason.MAX_HOLD);
    assertThat(engine.node.releases).as("the server is told too").hasSize(1);
  }

  @Test
  void aMachineThatWasSuspendedLosesItsLeasesWhenItWakes() {
    Lease lease = acquire(LockOptions.defaults());
    engine.time.stepWallClock(Duration.ofMinutes(1));
    assertThat(lease.isHeld()).isFalse();
    told(LossReason.RENEWAL_FAILED);
  }

  @Test
  void nothingIsRenewedAfterARelease() {
    Lease lease = acquire(LockOptions.defaults());
    assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    engine.time.advance(Duration.ofMinutes(5));
    assertThat(engine.node.extensions).isEmpty();
    assertThat(losses).isEmpty();
    assertThat(lease.release()).as("again").isEqualTo(ReleaseResult.RELEASED);
    assertThat(engine.node.releases).hasSize(1);
  }

  @Test
  void closingTheClientEndsEveryLease() {
    Lease lease = acquire(LockOptions.defaults());
    client.close();
    assertThat(lease.isHeld()).isFalse();
    told(LossReason.CLIENT_CLOSED);
    assertThat(engine.node.releases).hasSize(1);
    engine.time.advance(Duration.ofMinutes(5));
    assertThat(engine.node.extensions).isEmpty();
  }

  @Test
  void theRemainingTimeEndsWithTheMaximumHold() {
    Lease lease = acquire(LockOptions.defaults().withMaxHold(Duration.ofSeconds(5)));
    assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void aSuspensionIsToldSoonAfterwardsAlsoIfNobodyAsks() {
    acquire(LockOptions.defaults().withoutRenewal());
    engine.time.stepWallClock(Duration.ofMinutes(1));
    engine.time.advance(Duration.ofSeconds(1));
    told(LossReason.EXPIRED);
  }

  @Test
  void aLeaseThatSleptThroughTwoThirdsOfItsTimeIsRenewedAtOnce() {
    Lease lease = acquire(LockOptions.defaults().withLeaseTime(Duration.ofSeconds(6)));
    engine.time.stepWallClock(Duration.ofSeconds(4));
    engine.time.advance(Duration.ofMillis(300));
    assertThat(engine.node.extensions).hasSize(1);
    assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(5));
    engine.time.advance(Duration.ofMinutes(1));
    assertThat(lease.isHeld()).isTrue();
    assertThat(losses).isEmpty();
  }

  @Test
  void anExtensionWhoseReplyCameAfterASleepIsFollowedByAnotherAtOnce() {
    engine.node.onExtend =
        request -> {
          if (engine.node.extensions.size() == 1) {
            engine.time.stepWallClock(Duration.ofMillis(3_500));
          }
          return new Extended(engine.node.micros());
        };
    Lease lease = acquire(LockOptions.defaults().withLeaseTime(Duration.ofSeconds(6)));
    engine.time.advance(Duration.ofMillis(2_010));
    assertThat(engine.node.extensions).as("the second at once").hasSizeBetween(1, 2);
    engine.time.advance(Duration.ofMillis(300));
    assertThat(engine.node.extensions).hasSize(2);
    engine.time.advance(Duration.ofMinutes(1));
    assertThat(lease.isHeld()).isTrue();
  }

  @Test
  void aLeaseWithoutRenewalReportsItsLossInTimeAfterASleep() {
    acquire(LockOptions.defaults().withoutRenewal());
    engine.time.stepWallClock(Duration.ofSeconds(20));
    engine.time.advance(Duration.ofMillis(9_690));
    assertThat(losses).isEmpty();
    engine.time.advance(Duration.ofMillis(20));
    told(LossReason.EXPIRED);
  }

  @Test
  void oneTimerServesAllLeases() {
    for (int i = 0; i < 100; i++) {
      Duration time = Duration.ofSeconds(30 - i % 29);
      assertThat(client.lock("lock-" + i, LockOptions.defaults().withLeaseTime(time)).tryAcquire())
          .isPresent();
    }
    assertThat(engine.time.pending()).isEqualTo(1);
    engine.time.advance(Duration.ofMinutes(1));
    assertThat(engine.time.pending()).isEqualTo(1);
  }
}
