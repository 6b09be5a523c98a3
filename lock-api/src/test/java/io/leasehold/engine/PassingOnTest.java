package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockOptions;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.TransferRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lock goes on to the next call of its client without the server: to whom, and for how long. */
class PassingOnTest {
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final Duration NANO = Duration.ofNanos(1);
  private static final Duration BOUND = Duration.ofMillis(5);
  private static final LockOptions DEFAULTS = LockOptions.defaults();

  private final PassingFixture fixture = new PassingFixture();
  private final HandingNode handing = fixture.handing;
  private final ScriptedNode node = fixture.node;
  private final VirtualTime time = fixture.time;

  /** Whether it was passed on; otherwise it was handed over by a transfer. */
  private boolean passesOn(Lease lease, CompletableFuture<Lease> next) {
    int asked = fixture.requests();
    int transfers = handing.transfers.size();
    assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(EngineFixture.get(next).isHeld()).isTrue();
    assertThat(EngineFixture.get(next).fencingToken()).isGreaterThan(lease.fencingToken());
    assertThat(fixture.requests() - asked).isEqualTo(handing.transfers.size() - transfers);
    return fixture.requests() == asked;
  }

  /** As that, for a lease that came by a transfer, when so much time has passed since then. */
  private boolean passesOn(LockOptions first, LockOptions second, Duration after) {
    LockClient client = fixture.builder().open();
    Lease granted = fixture.held(client.lock("a", first));
    CompletableFuture<Lease> next = fixture.waiting(client.lock("a", first));
    CompletableFuture<Lease> last = fixture.waiting(client.lock("a", second));
    granted.release();
    Lease transferred = EngineFixture.get(next);
    time.advance(after);
    boolean passed = passesOn(transferred, last);
    EngineFixture.get(last).release();
    handing.transfers.clear();
    client.close();
    return passed;
  }

  @Test
  void aLockGoesFromCallToCallWithoutARequest() {
    DistributedLock lock = fixture.builder().open().lock("a");
    Lease lease = fixture.held(lock);
    long granted = lease.fencingToken();
    List<CompletableFuture<Lease>> calls = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      calls.add(fixture.waiting(lock));
    }
    assertThat(passesOn(lease, calls.get(0))).as("a grant is followed by a transfer").isFalse();
    for (int i = 1; i < calls.size(); i++) {
      Lease before = EngineFixture.get(calls.get(i - 1));
      assertThat(calls.get(i)).as("one after the other").isNotDone();
      assertThat(passesOn(before, calls.get(i))).isTrue();
      assertThat(before.isHeld()).isFalse();
    }
    assertThat(calls.stream().map(call -> EngineFixture.get(call).fencingToken()))
        .as("all from the lowest that came with the transfer")
        .containsExactly(granted + 1, granted + 2, granted + 3, granted + 4);
    assertThat(EngineFixture.get(calls.get(3)).release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(fixture.releasedOwners()).containsExactly(fixture.onlyTransfer().to());
  }

  @Test
  void whenFiveMillisecondsHavePassedSinceTheTransferTheServerIsAsked() {
    DistributedLock lock = fixture.builder().open().lock("a");
    Lease granted = fixture.held(lock);
    CompletableFuture<Lease> second = fixture.waiting(lock);
    CompletableFuture<Lease> third = fixture.waiting(lock);
    CompletableFuture<Lease> fourth = fixture.waiting(lock);
    CompletableFuture<Lease> fifth = fixture.waiting(lock);
    granted.release();
    time.advance(BOUND.minus(NANO));
    assertThat(passesOn(EngineFixture.get(second), third)).isTrue();
    time.advance(NANO);
    assertThat(passesOn(EngineFixture.get(third), fourth)).as("not since it was passed").isFalse();
    TransferRequest again = handing.transfers.get(1);
    assertThat(again.from()).isEqualTo(handing.transfers.get(0).to());
    assertThat(again.to()).isNotEqualTo(again.from());
    assertThat(EngineFixture.get(fourth).fencingToken())
        .isEqualTo(granted.fencingToken() + PassingFixture.TOKENS + 1);
    assertThat(again.proposal())
        .as("by the clock that the last answer of the server told, as time went on")
        .isEqualTo(node.micros());
    assertThat(passesOn(EngineFixture.get(fourth), fifth)).as("and so on").isTrue();
  }

  @Test
  void whenNoTokenIsLeftTheServerIsAsked() {
    handing.transferring(2, 0);
    DistributedLock lock = fixture.builder().open().lock("a");
    Lease granted = fixture.held(lock);
    CompletableFuture<Lease> second = fixture.waiting(lock);
    CompletableFuture<Lease> third = fixture.waiting(lock);
    CompletableFuture<Lease> fourth = fixture.waiting(lock);
    granted.release();
    assertThat(passesOn(EngineFixture.get(second), third)).isTrue();
    assertThat(passesOn(EngineFixture.get(third), fourth)).isFalse();
    assertThat(EngineFixture.get(fourth).fencingToken()).isEqualTo(granted.fencingToken() + 3);
  }

  @Test
  void aTransferOfOneTokenIsNotPassedOn() {
    handing.onTransfer = request -> ScriptedNode.done(node.granted());
    assertThat(passesOn(DEFAULTS, DEFAULTS, Duration.ZERO)).isFalse();
  }

  @Test
  void aGrantIsNotPassedOnWhateverTokensItTellsOf() {
    DistributedLock lock = fixture.builder().open().lock("a");
    node.onGrant = request -> ScriptedNode.done((GrantReply) handing.range(5, 0));
    Lease granted = lock.tryAcquire().orElseThrow();
    handing.busy();
    CompletableFuture<Lease> second = fixture.waiting(lock);
    assertThat(passesOn(granted, second)).isFalse();
  }

  @Test
  void aCallWithAnotherLeaseTimeNeedsATransfer() {
    LockOptions shorter = DEFAULTS.withLeaseTime(Duration.ofSeconds(20));
    assertThat(passesOn(DEFAULTS, shorter, Duration.ZERO)).isFalse();
    assertThat(passesOn(shorter, DEFAULTS, Duration.ZERO)).isFalse();
    assertThat(passesOn(shorter, shorter, Duration.ZERO)).isTrue();
  }

  @Test
  void aShortLeaseIsPassedOnForATwentiethOfItsTime() {
    LockOptions brief = DEFAULTS.withLeaseTime(Duration.ofMillis(40)).withoutRenewal();
    assertThat(passesOn(brief, brief, Duration.ofMillis(2).minus(NANO))).isTrue();
    assertThat(passesOn(brief, brief, Duration.ofMillis(2))).isFalse();
  }

  @Test
  void aCallThatMayHoldItOnlyBrieflyGetsAtMostATwentiethLess() {
    LockOptions brief = DEFAULTS.withMaxHold(Duration.ofMillis(40));
    assertThat(passesOn(DEFAULTS, brief, Duration.ofMillis(2).minus(NANO))).isTrue();
    assertThat(passesOn(DEFAULTS, brief, Duration.ofMillis(2))).isFalse();
    assertThat(passesOn(brief, DEFAULTS, Duration.ofMillis(2))).as("it is the next's").isTrue();
  }

  @Test
  void itIsYieldedToOthersThatWaitWhenThisClientHasHadItForLongEnough() {
    handing.transferring(PassingFixture.TOKENS, 1);
    DistributedLock lock = fixture.builder().open().lock("a");
    Lease granted = fixture.held(lock);
    CompletableFuture<Lease> second = fixture.waiting(lock);
    CompletableFuture<Lease> third = fixture.waiting(lock);
    CompletableFuture<Lease> fourth = fixture.waiting(lock);
    granted.release();
    assertThat(passesOn(EngineFixture.get(second), third)).isTrue();
    time.advance(Duration.ofMillis(2)); // 5 ms since the grant, but only 2 since the transfer
    node.onRelease = request -> ScriptedNode.done(new Released(node.micros(), true));
    assertThat(EngineFixture.get(third).release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(handing.transfers).hasSize(1);
    assertThat(node.releases).hasSize(1).allMatch(ReleaseRequest::yielding);
    assertThat(fixture.releasedOwners()).containsExactly(fixture.onlyTransfer().to());
    int asked = node.grants.size();
    time.advance(Duration.ofMillis(19));
    assertThat(node.grants).as("others come first").hasSize(asked);
    handing.grant(0);
    time.advance(Duration.ofMillis(12));
    assertThat(EngineFixture.get(fourth).isHeld()).as("but not for ever").isTrue();
  }

  /** The first two readings are before it is promised to the call, and the third is after it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aCallThatIsCancelledMeanwhileIsPassedOver(int reading) {
    LockClient client = fixture.builder().open();
    Lease lease = fixture.transferred(client);
    CompletableFuture<Lease> cancelled = fixture.waiting(client.lock("a"));
    CompletableFuture<Lease> next = fixture.waiting(client.lock("a"));
    fixture.clock.at(reading, () -> assertThat(cancelled.cancel(false)).isTrue());
    assertThat(passesOn(lease, next)).isTrue();
    assertThat(fixture.clock.hasHappened()).isTrue();
    assertThat(EngineFixture.get(next).fencingToken())
        .as("no token is left out for it")
        .isEqualTo(lease.fencingToken() + 1);
    assertThat(fixture.releasedOwners()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void whenAllCallsAreCancelledItIsReleasedOnce(int reading) {
    LockClient client = fixture.builder().open();
    Lease lease = fixture.transferred(client);
    CompletableFuture<Lease> next = fixture.waiting(client.lock("a"));
    CompletableFuture<Lease> last = fixture.waiting(client.lock("a"));
    fixture.clock.at(reading, () -> assertThat(next.cancel(false) && last.cancel(false)).isTrue());
    assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(fixture.clock.hasHappened()).isTrue();
    assertThat(fixture.releasedOwners()).containsExactly(fixture.onlyTransfer().to());
  }

  /** It has been given to the call by then, which has not told its caller yet. */
  @Test
  void whatWasPassedToACallThatIsCancelledThenIsReleasedAndTheNextAsks() {
    LockClient client = fixture.builder().open();
    Lease lease = fixture.transferred(client);
    CompletableFuture<Lease> cancelled = fixture.waiting(client.lock("a"));
    CompletableFuture<Lease> next = fixture.waiting(client.lock("a"));
    fixture.clock.at(4, () -> assertThat(cancelled.cancel(false)).isTrue());
    handing.grant(0);
    assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(fixture.clock.hasHappened()).isTrue();
    time.advance(Duration.ofMillis(1));
    assertThat(EngineFixture.get(next).isHeld()).isTrue();
    assertThat(fixture.releasedOwners())
        .containsOnlyOnce(fixture.onlyTransfer().to())
        .doesNotContain(node.grants.get(node.grants.size() - 1).owner());
  }

  @Test
  void threadsThatWaitAreServedToo() throws InterruptedException {
    LockClient client = fixture.builder().open();
    Lease granted = fixture.held(client.lock("a"));
    BlockingQueue<Lease> served = new LinkedBlockingQueue<>();
    for (int i = 0; i < 3; i++) {
      Thread thread = new Thread(() -> served.add(acquired(client.lock("a"))));
      thread.start();
      await().atMost(SOON).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }
    granted.release();
    Lease second = next(served);
    int asked = fixture.requests();
    assertThat(second.release()).isEqualTo(ReleaseResult.RELEASED);
    Lease third = next(served);
    assertThat(third.release()).isEqualTo(ReleaseResult.RELEASED);
    Lease fourth = next(served);
    assertThat(fixture.requests()).isEqualTo(asked);
    assertThat(List.of(second, third, fourth))
        .extracting(Lease::fencingToken)
        .containsExactly(
            granted.fencingToken() + 1, granted.fencingToken() + 2, granted.fencingToken() + 3);
    assertThat(fourth.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(fixture.releasedOwners()).containsExactly(fixture.onlyTransfer().to());
  }

  private static Lease acquired(DistributedLock lock) {
    try {
      return lock.acquire(Duration.ofMinutes(1));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Lease next(BlockingQueue<Lease> served) throws InterruptedException {
    return Objects.requireNonNull(served.poll(SOON.toSeconds(), TimeUnit.SECONDS), "not served");
  }
}
