package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockOptions;
import io.leasehold.LockTimeoutException;
import io.leasehold.LockUnavailableException;
import io.leasehold.spi.Capability;
import io.leasehold.spi.Expired;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReleaseRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WaitingTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private final EngineFixture engine = new EngineFixture();
  private final ScriptedNode node = engine.node;
  private final VirtualTime time = engine.time;

  private void answer(GrantReply reply) {
    node.onGrant = request -> ScriptedNode.done(reply);
  }

  private void grantFromNowOn() {
    node.onGrant = request -> ScriptedNode.done(node.granted());
  }

  @Test
  void everyAttemptHasAnOwnerIdOfItsOwn() {
    answer(node.busy(-1));
    CompletableFuture<Lease> waiting = engine.open().lock("a").acquireAsync(MINUTE);
    time.advance(Duration.ofSeconds(10));
    assertThat(node.grants).hasSizeGreaterThan(10);
    assertThat(node.grants).extracting(GrantRequest::owner).doesNotHaveDuplicates();
    assertThat(waiting).isNotDone();
  }

  @Test
  void withoutWakeUpsAWaiterAsksAgainMoreAndMoreRarely() {
    answer(node.busy(60_000));
    CompletableFuture<Lease> waiting = engine.open().lock("a").acquireAsync(MINUTE);
    time.advance(Duration.ofSeconds(1));
    int early = node.grants.size();
    time.advance(Duration.ofSeconds(10));
    assertThat(node.grants.size() - early).isBetween(35, 90); // each 125 to 250 ms
    grantFromNowOn();
    time.advance(Duration.ofMillis(300));
    assertThat(EngineFixture.get(waiting).isHeld()).isTrue();
  }

  @Test
  void theRemainingTimeOfTheLockIsAHint() {
    node.capabilities = Set.of(Capability.WAKE_UPS, Capability.FENCING);
    answer(node.busy(3_000));
    CompletableFuture<Lease> waiting = engine.open().lock("a").acquireAsync(MINUTE);
    time.advance(Duration.ofMillis(2_990));
    int before = node.grants.size();
    grantFromNowOn();
    time.advance(Duration.ofMillis(20));
    assertThat(node.grants).hasSize(before + 1);
    assertThat(EngineFixture.get(waiting).isHeld()).isTrue();
  }

  @Test
  void withWakeUpsAWaiterAsksOnceAsAWaiterAndThenHardlyEver() {
    node.capabilities = Set.of(Capability.WAKE_UPS, Capability.FENCING);
    answer(node.busy(3_600_000));
    CompletableFuture<Lease> waiting = engine.open().lock("a").acquireAsync(Duration.ofMinutes(5));
    time.advance(Duration.ofMillis(14_900));
    assertThat(node.grants)
        .extracting(GrantRequest::queueing)
        .containsExactly(Queueing.NONE, Queueing.WAKE);
    time.advance(Duration.ofSeconds(61));
    assertThat(node.grants).hasSizeBetween(5, 7); // a lost wake-up costs 20 s at most
    assertThat(waiting).isNotDone();
  }

  @Test
  void aWakeUpIsFollowedAtOnce() {
    node.capabilities = Set.of(Capability.WAKE_UPS, Capability.FENCING);
    answer(node.busy(3_600_000));
    CompletableFuture<Lease> waiting = engine.open().lock("a").acquireAsync(MINUTE);
    time.advance(Duration.ofSeconds(1));
    grantFromNowOn();
    node.watchers.forEach(Runnable::run);
    assertThat(EngineFixture.get(waiting).isHeld()).isTrue();
    assertThat(node.watchers).as("nobody waits any more").isEmpty();
  }

  @Test
  void aWakeUpThatComesWhileARequestIsUnderWayIsNotLost() {
    node.capabilities = Set.of(Capability.WAKE_UPS, Capability.FENCING);
    answer(node.busy(3_600_000));
    CompletableFuture<Lease> waiting = engine.open().lock("a").acquireAsync(MINUTE);
    time.advance(Duration.ofSeconds(1));
    CompletableFuture<GrantReply> slow = new CompletableFuture<>();
    node.onGrant = request -> slow;
    node.watchers.forEach(Runnable::run); // asks
    node.watchers.forEach(Runnable::run); // the holder released while that was under way
    grantFromNowOn();
    slow.complete(node.busy(3_600_000));
    time.advance(Duration.ofMillis(1));
    assertThat(EngineFixture.get(waiting).isHeld()).isTrue();
  }

  @Test
  void onlyTheFirstInLineTalksToTheServer() {
    answer(node.busy(60_000));
    LockClient client = engine.open();
    List<CompletableFuture<Lease>> waiting = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      waiting.add(client.lock("a").acquireAsync(MINUTE));
    }
    time.advance(Duration.ofSeconds(1));
    assertThat(node.grants).hasSizeLessThan(30);
    grantFromNowOn();
    time.advance(Duration.ofMillis(300));
    assertThat(EngineFixture.get(waiting.get(0)).isHeld()).as("first come").isTrue();
    assertThat(waiting.subList(1, 500)).noneMatch(CompletableFuture::isDone);
    EngineFixture.get(waiting.get(0)).release();
    time.advance(Duration.ofMillis(1));
    assertThat(EngineFixture.get(waiting.get(1)).isHeld()).as("first served").isTrue();
  }

  @Test
  void busyUntilTheEndIsATimeout() {
    answer(node.busy(60_000));
    CompletableFuture<Lease> waiting = engine.open().lock("a").acquireAsync(Duration.ofSeconds(3));
    CompletableFuture<Lease> behind = engine.open().lock("a").acquireAsync(Duration.ofSeconds(2));
    time.advance(Duration.ofSeconds(3));
    assertThat(EngineFixture.failure(waiting)).isInstanceOf(LockTimeoutException.class);
    assertThat(EngineFixture.failure(behind)).isInstanceOf(LockTimeoutException.class);
    assertThat(time.pending()).as("no timer is left behind").isZero();
  }

  @Test
  void unknownIsNeverBusy() {
    answer(new Failed(FailureKind.UNREACHABLE, "nobody there"));
    LockClient client = engine.open();
    CompletableFuture<Lease> front = client.lock("a").acquireAsync(Duration.ofSeconds(3));
    CompletableFuture<Lease> behind = client.lock("a").acquireAsync(Duration.ofSeconds(2));
    time.advance(Duration.ofSeconds(3));
    assertThat(EngineFixture.failure(front))
        .isInstanceOf(LockUnavailableException.class)
        .hasMessageContaining("scripted: FAILED (UNREACHABLE: nobody there)");
    assertThat(EngineFixture.failure(behind))
        .as("also for one that never asked itself")
        .isInstanceOf(LockUnavailableException.class);
  }

  @Test
  void noAnswerAtAllIsNotBusyEitherForThoseInLine() {
    LockClient client = engine.open();
    Lease held = client.lock("a").tryAcquire().orElseThrow();
    answer(node.busy(60_000));
    CompletableFuture<Lease> front = client.lock("a").acquireAsync(Duration.ofMinutes(2));
    CompletableFuture<Lease> behind = client.lock("a").acquireAsync(Duration.ofSeconds(1));
    node.onGrant = request -> new CompletableFuture<>(); // the server falls silent
    time.advance(Duration.ofSeconds(2));
    assertThat(EngineFixture.failure(behind)).isInstanceOf(LockUnavailableException.class);
    assertThat(front).isNotDone();
    assertThat(held.isHeld()).isTrue();
  }

  @Test
  void aCallWhoseTimeIsOverBeforeAnybodyWasAnsweredAsksItself() {
    LockClient client = engine.open();
    CompletableFuture<GrantReply> slow = new CompletableFuture<>();
    node.onGrant = request -> slow;
    CompletableFuture<Lease> front = client.lock("a").acquireAsync(MINUTE);
    CompletableFuture<Lease> behind = client.lock("a").acquireAsync(Duration.ofMillis(5));
    answer(node.busy(60_000));
    time.advance(Duration.ofMillis(10));
    assertThat(EngineFixture.failure(behind)).isInstanceOf(LockTimeoutException.class);
    slow.complete(node.granted());
    assertThat(EngineFixture.get(front).isHeld()).isTrue();
  }

  @Test
  void howeverShortTheWaitThereIsOneAttempt() throws InterruptedException {
    LockClient client = engine.open();
    assertThat(client.lock("a").tryAcquire(Duration.ofNanos(1))).isPresent();
    assertThat(EngineFixture.get(client.lock("b").acquireAsync(Duration.ofNanos(1))).isHeld())
        .isTrue();
  }

  @Test
  void callsThatComeTogetherAskOnce() {
    LockClient client = engine.open();
    CompletableFuture<GrantReply> slow = new CompletableFuture<>();
    node.onGrant = request -> slow;
    List<CompletableFuture<Lease>> calls = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      calls.add(client.lock("a").acquireAsync(MINUTE));
    }
    assertThat(node.grants).hasSize(1);
    slow.complete(node.granted());
    assertThat(EngineFixture.get(calls.get(0)).isHeld()).isTrue();
    assertThat(node.grants).hasSize(1);
  }

  @Test
  void aLockThatThisClientHoldsItselfIsBusy() {
    LockClient client = engine.open();
    answer(node.busy(50));
    CompletableFuture<Lease> first = client.lock("a").acquireAsync(MINUTE);
    CompletableFuture<Lease> second = client.lock("a").acquireAsync(Duration.ofSeconds(2));
    grantFromNowOn();
    time.advance(Duration.ofMillis(300));
    assertThat(EngineFixture.get(first).isHeld()).isTrue();
    time.advance(Duration.ofSeconds(2));
    assertThat(EngineFixture.failure(second)).isInstanceOf(LockTimeoutException.class);
  }

  @Test
  void aFailureThatPassesIsForgotten() {
    answer(new Failed(FailureKind.LOADING, "loading"));
    CompletableFuture<Lease> waiting = engine.open().lock("a").acquireAsync(MINUTE);
    time.advance(Duration.ofSeconds(5));
    grantFromNowOn();
    time.advance(Duration.ofMillis(300));
    assertThat(EngineFixture.get(waiting).isHeld()).isTrue();
  }

  @Test
  void aFailureThatNeedsAPersonIsToldAtOnce() {
    answer(new Failed(FailureKind.NO_PERMISSION, "may not run evalsha"));
    CompletableFuture<Lease> waiting = engine.open().lock("a").acquireAsync(MINUTE);
    assertThat(EngineFixture.failure(waiting)).isInstanceOf(LockUnavailableException.class);
    assertThat(node.grants).hasSize(1);
  }

  @Test
  void whatMayHaveSucceededIsReleased() {
    answer(new Failed(FailureKind.TIMEOUT, "no reply"));
    CompletableFuture<Lease> waiting = engine.open().lock("a").acquireAsync(Duration.ofMillis(1));
    time.advance(Duration.ofSeconds(1));
    EngineFixture.failure(waiting);
    assertThat(node.releases)
        .extracting(ReleaseRequest::owner)
        .containsExactlyElementsOf(node.grants.stream().map(GrantRequest::owner).toList());
  }

  @Test
  void aReleaseThatFailsIsRepeatedUntilTheLockHasEndedByItself() {
    node.onRelease = request -> ScriptedNode.done(new Failed(FailureKind.TIMEOUT, "no reply"));
    answer(new Failed(FailureKind.TIMEOUT, "no reply"));
    CompletableFuture<Lease> waiting = engine.open().lock("a").acquireAsync(Duration.ZERO);
    EngineFixture.failure(waiting);
    time.advance(Duration.ofSeconds(29));
    int repeated = node.releases.size();
    assertThat(repeated).isGreaterThan(30);
    time.advance(Duration.ofSeconds(2));
    int last = node.releases.size();
    time.advance(Duration.ofMinutes(10));
    assertThat(node.releases).hasSize(last);
  }

  @Test
  void aWrongIdeaOfTheServersClockIsPutRightAtOnce() {
    LockClient client = engine.open();
    long ahead = 3_600_000_000L; // the server's clock was set forward by an hour
    node.onGrant =
        request ->
            ScriptedNode.done(
                request.notAfter() < node.micros() + ahead
                    ? new Expired(node.micros() + ahead)
                    : node.granted());
    assertThat(client.lock("a").tryAcquire()).isPresent();
    assertThat(node.grants).hasSize(2);
  }

  @Test
  void aRequestSaysWhenItsClientGivesUp() {
    LockClient client = engine.open();
    long before = node.micros();
    assertThat(client.lock("a").tryAcquire()).isPresent();
    assertThat(node.grants.get(0).notAfter()).isEqualTo(before + 500_000);
    assertThat(node.grants.get(0).proposal()).isEqualTo(before);
  }

  @Test
  void aGuardedServerIsWaitedForAndToldApartFromABusyOne() {
    answer(new Guarded(2_000, node.micros()));
    LockClient client = engine.open();
    CompletableFuture<Lease> patient = client.lock("a").acquireAsync(MINUTE);
    CompletableFuture<Lease> hasty = client.lock("b").acquireAsync(Duration.ofSeconds(1));
    time.advance(Duration.ofMillis(1_900));
    assertThat(EngineFixture.failure(hasty))
        .isInstanceOf(LockUnavailableException.class)
        .hasMessageContaining("GUARDED");
    grantFromNowOn(); // somebody vouched for it: that is noticed within two seconds
    time.advance(Duration.ofSeconds(2));
    assertThat(EngineFixture.get(patient).isHeld()).isTrue();
  }

  @Test
  void aGrantWhoseValidityIsSpentIsNotHandedOut() {
    CompletableFuture<GrantReply> slow = new CompletableFuture<>();
    node.onGrant = request -> slow;
    CompletableFuture<Lease> waiting =
        engine
            .builder()
            .option("commandTimeout", "1m")
            .open()
            .lock("a")
            .acquireAsync(Duration.ofSeconds(40));
    time.advance(Duration.ofSeconds(30));
    answer(node.busy(1_000));
    slow.complete(node.granted());
    assertThat(node.releases)
        .extracting(ReleaseRequest::owner)
        .containsExactly(node.grants.get(0).owner());
    time.advance(Duration.ofSeconds(10));
    assertThat(EngineFixture.failure(waiting)).isInstanceOf(LockTimeoutException.class);
  }

  @Test
  void aNodeThatStaysSilentCountsAsFailed() {
    CompletableFuture<GrantReply> never = new CompletableFuture<>();
    node.onGrant = request -> never;
    CompletableFuture<Lease> waiting = engine.open().lock("a").acquireAsync(Duration.ZERO);
    time.advance(Duration.ofSeconds(1));
    assertThat(EngineFixture.failure(waiting)).isInstanceOf(LockUnavailableException.class);
    int releases = node.releases.size();
    never.complete(node.granted());
    assertThat(node.releases).as("the late grant goes back").hasSize(releases + 1);
  }

  @Test
  void aNodeThatThrowsIsAFailedNode() {
    node.onGrant =
        request -> {
          throw new IllegalStateException("a bug in a provider");
        };
    CompletableFuture<Lease> waiting = engine.open().lock("a").acquireAsync(MINUTE);
    assertThat(EngineFixture.failure(waiting)).isInstanceOf(LockUnavailableException.class);
  }

  @Test
  void aRemainingTimeWithoutBoundDoesNotMakeTheWaiterSpin() {
    node.capabilities = Set.of(Capability.WAKE_UPS, Capability.FENCING);
    for (GrantReply endless :
        new GrantReply[] {
          node.busy(9_999_999_999_999L), new Guarded(9_999_999_999_999L, node.micros())
        }) {
      node.grants.clear();
      answer(endless);
      CompletableFuture<Lease> waiting = engine.open().lock("a").acquireAsync(MINUTE);
      time.advance(Duration.ofSeconds(10));
      assertThat(node.grants).hasSizeLessThan(12); // a guarded one is asked each second or two
      assertThat(waiting.cancel(false)).isTrue();
    }
  }

  @Test
  void afterAWatchHasBegunThereIsAlwaysAnAttemptAsAWaiter() {
    node.capabilities = Set.of(Capability.WAKE_UPS, Capability.FENCING);
    answer(node.busy(3_600_000));
    LockClient client = engine.open();
    CompletableFuture<Lease> waiting = client.lock("a").acquireAsync(MINUTE);
    time.advance(Duration.ofMillis(1));
    assertThat(node.grants).last().extracting(GrantRequest::queueing).isEqualTo(Queueing.WAKE);
    assertThat(waiting).isNotDone();
  }

  @Test
  void aFairLockTakesAPlaceInTheLine() {
    node.capabilities = Set.of(Capability.WAKE_UPS, Capability.FENCING, Capability.FAIRNESS);
    answer(node.busy(60_000));
    CompletableFuture<Lease> waiting =
        engine.builder().option("fair", "on").open().lock("a").acquireAsync(MINUTE);
    time.advance(Duration.ofSeconds(1));
    assertThat(node.grants).last().extracting(GrantRequest::queueing).isEqualTo(Queueing.FAIR);
    assertThat(waiting).isNotDone();
  }

  @Test
  void aLeaseIsNotHandedOutWhenItsMaximumHoldIsSpent() {
    CompletableFuture<GrantReply> slow = new CompletableFuture<>();
    node.onGrant = request -> slow;
    CompletableFuture<Lease> waiting =
        engine
            .open()
            .lock("a", LockOptions.defaults().withMaxHold(Duration.ofMillis(50)))
            .acquireAsync(Duration.ZERO);
    time.advance(Duration.ofMillis(100));
    slow.complete(node.granted());
    assertThat(EngineFixture.failure(waiting)).isInstanceOf(LockUnavailableException.class);
  }
}
