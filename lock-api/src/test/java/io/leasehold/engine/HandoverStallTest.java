package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockOptions;
import io.leasehold.Locks;
import io.leasehold.LocksBuilder;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.Capability;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.TransferReply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Hand-overs after which somebody must not wait in vain. */
class HandoverStallTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration MOMENT = Duration.ofMillis(1);
  private static final Duration SOON = Duration.ofSeconds(5);

  private final EngineFixture engine = new EngineFixture();
  private final ScriptedNode node = engine.node;
  private final VirtualTime time = engine.time;
  private HandingNode handing = new HandingNode(node, Capability.WAKE_UPS);

  private LocksBuilder builder() {
    return Locks.builder()
        .node(handing)
        .clock(time)
        .scheduler(time)
        .discoverListeners(false)
        .option("commandTimeout", "5s"); // of real time: longer than a busy machine needs
  }

  private CompletableFuture<Lease> waiting(DistributedLock lock) {
    CompletableFuture<Lease> future = lock.acquireAsync(MINUTE);
    time.advance(MOMENT);
    assertThat(future).isNotDone();
    return future;
  }

  private CompletableFuture<ReleaseResult> releasing(Lease lease) {
    int before = handing.transfers.size();
    CompletableFuture<ReleaseResult> result = CompletableFuture.supplyAsync(lease::release);
    await().atMost(SOON).until(() -> handing.transfers.size() > before);
    return result;
  }

  private CompletableFuture<Lease> grantedTo(CompletableFuture<Lease> call) {
    handing.grant(0);
    node.watchers.forEach(Runnable::run);
    handing.busy();
    return call;
  }

  @Test
  void whenTheCallThatWasPromisedIsCancelledTheNextInLineAsks() {
    DistributedLock lock = builder().open().lock("a");
    handing.busy();
    CompletableFuture<Lease> first = waiting(lock);
    CompletableFuture<Lease> second = waiting(lock);
    CompletableFuture<Lease> third = waiting(lock);
    Lease lease = EngineFixture.get(grantedTo(first));
    CompletableFuture<TransferReply> slow = new CompletableFuture<>();
    handing.onTransfer = request -> slow;
    CompletableFuture<ReleaseResult> releasing = releasing(lease);
    assertThat(second.cancel(false)).isTrue();
    slow.complete(node.granted());
    assertThat(releasing.join()).isEqualTo(ReleaseResult.RELEASED);
    handing.grant(0);
    node.watchers.forEach(Runnable::run); // the release of what nobody took wakes a waiter
    time.advance(Duration.ofSeconds(25)); // and if not, the third polls
    assertThat(EngineFixture.get(third).isHeld()).isTrue();
  }

  @Test
  void whenWhatWasHandedOverIsSpentTheCallAsksAgain() {
    DistributedLock lock =
        builder().option("leaseTime", "100ms").option("renewal", "off").open().lock("a");
    handing.busy();
    CompletableFuture<Lease> first = waiting(lock);
    CompletableFuture<Lease> second = waiting(lock);
    Lease lease = EngineFixture.get(grantedTo(first));
    CompletableFuture<TransferReply> slow = new CompletableFuture<>();
    handing.onTransfer = request -> slow;
    CompletableFuture<ReleaseResult> releasing = releasing(lease);
    time.advance(Duration.ofMillis(150)); // slow, and still within the command timeout
    slow.complete(node.granted());
    assertThat(releasing.join()).isEqualTo(ReleaseResult.RELEASED);
    handing.grant(0);
    node.watchers.forEach(Runnable::run);
    time.advance(Duration.ofSeconds(25)); // it lasts 100 ms only, but was there
    assertThat(EngineFixture.get(second).lockName()).isEqualTo("a");
  }

  @Test
  void othersAreLetInEvenIfNobodyWaitsWhenALockChangesHands() {
    LockClient client = builder().open();
    handing.onTransfer = request -> ScriptedNode.done(handing.granted(1));
    handing.grant(1);
    Lease lease = client.lock("a").tryAcquire().orElseThrow();
    handing.busy();
    for (int i = 0; i < 200; i++) { // each time a new line of one: at least 200 ms in all
      CompletableFuture<Lease> next = waiting(client.lock("a"));
      lease.release();
      if (!node.releases.isEmpty()) {
        return;
      }
      lease = EngineFixture.get(next);
    }
    throw new AssertionError("handed over 200 times while another client waits");
  }

  @Test
  void aLeaseThatIsNotFairIsNotHandedOverToAFairCall() {
    handing = new HandingNode(node, Capability.WAKE_UPS, Capability.FAIRNESS);
    LockClient client = builder().open();
    handing.grant(0);
    Lease lease = client.lock("a").tryAcquire().orElseThrow();
    handing.busy();
    CompletableFuture<Lease> fair = waiting(client.lock("a", LockOptions.defaults().withFair()));
    assertThat(node.grants).last().extracting(GrantRequest::queueing).isEqualTo(Queueing.FAIR);
    lease.release();
    assertThat(handing.transfers.isEmpty() || !handing.left.isEmpty())
        .as("a call that got the lock otherwise has left the fair line")
        .isTrue();
    assertThat(fair).isNotNull();
  }
}
