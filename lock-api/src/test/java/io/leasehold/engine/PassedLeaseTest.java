package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LeaseLoss;
import io.leasehold.LockClient;
import io.leasehold.LockObserver;
import io.leasehold.LockOptions;
import io.leasehold.LossReason;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.TransferReply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A lease that another call passed on is a lease as any other, and none the longer. */
class PassedLeaseTest {
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final Duration LEASE = Duration.ofSeconds(30);

  /** 1 % and 2 ms less, for clocks that drift. */
  private static final Duration USABLE = LEASE.minusMillis(302);

  private final PassingFixture fixture = new PassingFixture();
  private final HandingNode handing = fixture.handing;
  private final ScriptedNode node = fixture.node;
  private final VirtualTime time = fixture.time;
  private final List<LossReason> losses = new CopyOnWriteArrayList<>();

  private LockClient client() {
    return fixture.builder().option("leaseTime", "30s").open();
  }

  private void expectLoss(LossReason reason) {
    await().atMost(SOON).until(() -> !losses.isEmpty());
    assertThat(losses).containsExactly(reason);
  }

  private void lost(LeaseLoss loss) {
    losses.add(loss.reason());
  }

  @Test
  void itLastsFromTheMomentAtWhichTheTransferWasSent() {
    DistributedLock lock = client().lock("a");
    Lease granted = fixture.held(lock);
    CompletableFuture<Lease> second = fixture.waiting(lock);
    CompletableFuture<Lease> third = fixture.waiting(lock);
    CompletableFuture<TransferReply> slow = new CompletableFuture<>();
    handing.onTransfer = request -> slow;
    CompletableFuture<ReleaseResult> releasing = CompletableFuture.supplyAsync(granted::release);
    await().atMost(SOON).until(() -> handing.transfers.size() == 1);
    time.advance(Duration.ofMillis(2));
    slow.complete(handing.range(3, 0));
    releasing.join();
    time.advance(Duration.ofMillis(2));
    EngineFixture.get(second).release();
    assertThat(EngineFixture.get(third).remaining()).isEqualTo(USABLE.minusMillis(4));
    assertThat(handing.transfers).hasSize(1);
  }

  @Test
  void aSuspensionBeforeItWasPassedOnCountsToo() {
    LockClient client = client();
    Lease transferred = fixture.transferred(client);
    CompletableFuture<Lease> next = fixture.waiting(client.lock("a"));
    time.stepWallClock(Duration.ofSeconds(10)); // the monotonic clock stood still
    transferred.release();
    assertThat(EngineFixture.get(next).remaining()).isEqualTo(USABLE.minusMillis(10_001));
  }

  @Test
  void itEndsWithThatTimeAndItsLossIsToldOnce() {
    LockClient client =
        fixture.builder().option("leaseTime", "30s").option("renewal", "off").open();
    Lease passed = fixture.passed(client);
    passed.onLost(this::lost);
    time.advance(USABLE.minusNanos(1));
    assertThat(passed.isHeld()).isTrue();
    time.advance(Duration.ofNanos(1));
    assertThat(passed.isHeld()).isFalse();
    expectLoss(LossReason.EXPIRED);
    assertThat(passed.release()).isEqualTo(ReleaseResult.LOST);
    time.advance(LEASE);
    expectLoss(LossReason.EXPIRED);
    assertThat(fixture.releasedOwners()).containsExactly(fixture.onlyTransfer().to());
  }

  @Test
  void itIsRenewedForTheOwnerOfTheTransferAndItsPredecessorIsNot() {
    Lease passed = fixture.passed(client());
    time.advance(LEASE.dividedBy(3));
    assertThat(node.extensions).hasSize(1);
    assertThat(node.extensions.get(0))
        .extracting(ExtendRequest::owner)
        .containsExactly(fixture.onlyTransfer().to());
    assertThat(passed.remaining()).isBetween(USABLE.minusMillis(10), USABLE);
  }

  @Test
  void itHasTheTermsOfItsOwnCall() {
    LockClient client = client();
    Lease transferred = fixture.transferred(client);
    LockOptions brief = LockOptions.defaults().withMaxHold(Duration.ofSeconds(1));
    CompletableFuture<Lease> next = fixture.waiting(client.lock("a", brief));
    transferred.release();
    Lease passed = EngineFixture.get(next);
    passed.onLost(this::lost);
    assertThat(handing.transfers).hasSize(1);
    assertThat(passed.remaining()).isEqualTo(Duration.ofMillis(999));
    time.advance(Duration.ofMillis(999));
    expectLoss(LossReason.MAX_HOLD);
    assertThat(fixture.releasedOwners()).containsExactly(fixture.onlyTransfer().to());
  }

  @Test
  void thatTheServerDoesNotHaveItAnyMoreIsALossOfWhoHasItThen() {
    LockClient client = client();
    Lease transferred = fixture.transferred(client);
    transferred.onLost(this::lost);
    CompletableFuture<Lease> next = fixture.waiting(client.lock("a"));
    node.onRelease = request -> ScriptedNode.done(new NotHeld(NotHeld.Cause.TAKEN, node.micros()));
    assertThat(transferred.release()).isEqualTo(ReleaseResult.RELEASED);
    Lease passed = EngineFixture.get(next);
    passed.onLost(this::lost);
    assertThat(losses).isEmpty();
    assertThat(passed.release()).isEqualTo(ReleaseResult.LOST);
    expectLoss(LossReason.TAKEN);
    assertThat(transferred.release()).as("it stays so").isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void whoHadItBeforeNeitherLosesItNorGivesItBackAgain() {
    LockClient client = client();
    Lease transferred = fixture.transferred(client);
    transferred.onLost(this::lost);
    CompletableFuture<Lease> next = fixture.waiting(client.lock("a"));
    transferred.release();
    Lease passed = EngineFixture.get(next);
    assertThat(transferred.release()).isEqualTo(ReleaseResult.RELEASED);
    transferred.close();
    time.advance(Duration.ofMinutes(5));
    assertThat(transferred.isHeld()).isFalse();
    assertThat(losses).isEmpty();
    assertThat(node.releases).isEmpty();
    assertThat(passed.isHeld()).isTrue();
  }

  @Test
  void closingTheClientReleasesIt() {
    LockClient client = client();
    Lease passed = fixture.passed(client);
    passed.onLost(this::lost);
    client.close();
    expectLoss(LossReason.CLIENT_CLOSED);
    assertThat(passed.isHeld()).isFalse();
    assertThat(fixture.releasedOwners()).containsExactly(fixture.onlyTransfer().to());
  }

  @Test
  void listenersHearItsOwnTokenAndThatItTookNoRound() {
    List<String> heard = new CopyOnWriteArrayList<>();
    AtomicInteger calls = new AtomicInteger();
    LockClient client =
        fixture
            .builder()
            .listener(
                call ->
                    new LockObserver() {
                      private final int number = calls.incrementAndGet();

                      @Override
                      public void acquired(
                          Moment moment, long token, int rounds, List<NodeAnswer> answers) {
                        heard.add(number + ": " + token + " in " + rounds);
                      }

                      @Override
                      public void released(Moment moment) {
                        heard.add(number + " released");
                      }
                    })
            .open();
    Lease passed = fixture.passed(client);
    long token = passed.fencingToken();
    passed.release();
    await().atMost(SOON).until(() -> heard.size() >= 6);
    client.close();
    assertThat(heard)
        .containsExactlyInAnyOrder(
            "1: " + (token - 2) + " in 1",
            "2: " + (token - 1) + " in 1",
            "3: " + token + " in 0",
            "1 released",
            "2 released",
            "3 released");
  }
}
