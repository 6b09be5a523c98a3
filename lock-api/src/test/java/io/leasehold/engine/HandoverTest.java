package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockClosedException;
import io.leasehold.LockObserver;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.LocksBuilder;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.Capability;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

/** A lease that ends is handed over to the next call of its client. */
class HandoverTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration MOMENT = Duration.ofMillis(1);
  private static final Duration SOON = Duration.ofSeconds(5);

  private final EngineFixture engine = new EngineFixture();
  private final ScriptedNode node = engine.node;
  private final VirtualTime time = engine.time;
  private HandingNode handing = new HandingNode(node);

  private LocksBuilder builder() {
    return Locks.builder()
        .node(handing)
        .clock(time)
        .scheduler(time)
        .discoverListeners(false)
        .option("commandTimeout", "5s"); // of real time: longer than a busy machine needs
  }

  /** A lease of a client, before others of it wait. */
  private Lease held(DistributedLock lock) {
    handing.grant(0);
    Lease lease = lock.tryAcquire().orElseThrow();
    handing.busy();
    return lease;
  }

  private CompletableFuture<Lease> waiting(DistributedLock lock) {
    CompletableFuture<Lease> future = lock.acquireAsync(MINUTE);
    time.advance(MOMENT);
    assertThat(future).isNotDone();
    return future;
  }

  /** Lets a transfer wait for its answer. */
  private CompletableFuture<TransferReply> slowTransfer() {
    CompletableFuture<TransferReply> slow = new CompletableFuture<>();
    handing.onTransfer = request -> slow;
    return slow;
  }

  /** Releases on another thread, and returns when the hand-over is under way. */
  private CompletableFuture<ReleaseResult> releasing(Lease lease) {
    int before = handing.transfers.size();
    CompletableFuture<ReleaseResult> result = CompletableFuture.supplyAsync(lease::release);
    await().atMost(SOON).until(() -> handing.transfers.size() > before);
    return result;
  }

  private List<String> releasedOwners() {
    return node.releases.stream().map(ReleaseRequest::owner).toList();
  }

  private TransferRequest onlyTransfer() {
    assertThat(handing.transfers).hasSize(1);
    return handing.transfers.get(0);
  }

  @Test
  void aHandOverIsOneTransferAndNothingElse() {
    DistributedLock lock = builder().open().lock("a");
    Lease first = held(lock);
    String owner = node.grants.get(0).owner();
    CompletableFuture<Lease> second = waiting(lock);
    int asked = node.grants.size();
    assertThat(first.release()).isEqualTo(ReleaseResult.RELEASED);
    Lease next = EngineFixture.get(second);
    assertThat(next.isHeld()).isTrue();
    assertThat(next.fencingToken()).isGreaterThan(first.fencingToken());
    assertThat(onlyTransfer().from()).isEqualTo(owner);
    assertThat(node.grants).extracting(GrantRequest::owner).doesNotContain(onlyTransfer().to());
    assertThat(node.grants).hasSize(asked);
    assertThat(node.releases).isEmpty();
    assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(releasedOwners()).containsExactly(onlyTransfer().to());
  }

  @Test
  void callsAreServedInTheOrderInWhichTheyCame() {
    DistributedLock lock = builder().open().lock("a");
    Lease first = held(lock);
    CompletableFuture<Lease> second = waiting(lock);
    CompletableFuture<Lease> third = waiting(lock);
    first.release();
    Lease next = EngineFixture.get(second);
    assertThat(third).isNotDone();
    next.release();
    assertThat(EngineFixture.get(third).isHeld()).isTrue();
    assertThat(handing.transfers).hasSize(2);
    assertThat(node.releases).isEmpty();
  }

  @Test
  void whatIsHandedOverToACallThatWasCancelledMeanwhileIsReleased() {
    DistributedLock lock = builder().open().lock("a");
    Lease first = held(lock);
    CompletableFuture<Lease> second = waiting(lock);
    CompletableFuture<TransferReply> slow = slowTransfer();
    CompletableFuture<ReleaseResult> releasing = releasing(first);
    assertThat(second.cancel(false)).isTrue();
    slow.complete(node.granted());
    assertThat(releasing.join()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(releasedOwners()).containsExactly(onlyTransfer().to());
  }

  @Test
  void whatIsHandedOverToAThreadThatWasInterruptedMeanwhileIsReleased() {
    DistributedLock lock = builder().open().lock("a");
    Lease first = held(lock);
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                end.complete(new AssertionError(lock.acquire(MINUTE).toString()));
              } catch (Throwable e) {
                end.complete(e);
              }
            });
    thread.start();
    await().atMost(SOON).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    CompletableFuture<TransferReply> slow = slowTransfer();
    CompletableFuture<ReleaseResult> releasing = releasing(first);
    thread.interrupt();
    assertThat(end.join()).isInstanceOf(InterruptedException.class);
    slow.complete(node.granted());
    assertThat(releasing.join()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(releasedOwners()).containsExactly(onlyTransfer().to());
  }

  @Test
  void aLostReplyReleasesBothOwnersAndTheCallAsksAgain() {
    DistributedLock lock = builder().open().lock("a");
    Lease first = held(lock);
    CompletableFuture<Lease> second = waiting(lock);
    handing.onTransfer = request -> ScriptedNode.done(new Failed(FailureKind.TIMEOUT, "lost"));
    handing.grant(0);
    assertThatThrownBy(first::release).isInstanceOf(LockUnavailableException.class);
    assertThat(first.isHeld()).isFalse();
    assertThat(releasedOwners()).containsExactly(onlyTransfer().from(), onlyTransfer().to());
    time.advance(MOMENT);
    assertThat(EngineFixture.get(second).isHeld()).isTrue();
  }

  @Test
  void afterALostReplyTheNewOwnerIsReleasedOnlyWhenTheOldOneHasBeen() {
    DistributedLock lock = builder().open().lock("a");
    Lease first = held(lock);
    CompletableFuture<Lease> second = waiting(lock);
    handing.onTransfer = request -> ScriptedNode.done(new Failed(FailureKind.TIMEOUT, "lost"));
    CompletableFuture<ReleaseReply> slow = new CompletableFuture<>();
    node.onRelease = request -> slow;
    assertThatThrownBy(first::release).isInstanceOf(LockUnavailableException.class);
    assertThat(releasedOwners()).containsExactly(onlyTransfer().from());
    node.onRelease = request -> ScriptedNode.done(new Released(node.micros()));
    slow.complete(new Failed(FailureKind.TIMEOUT, "lost, too"));
    assertThat(releasedOwners()).as("not confirmed").containsExactly(onlyTransfer().from());
    time.advance(Duration.ofMillis(20));
    assertThat(releasedOwners())
        .containsExactly(onlyTransfer().from(), onlyTransfer().from(), onlyTransfer().to());
    assertThat(second).isNotDone();
  }

  @Test
  void aReplyAfterTheCommandTimeoutReleasesBothOwnersAndWhatItBrings() {
    DistributedLock lock = builder().option("commandTimeout", "50ms").open().lock("a");
    Lease first = held(lock);
    CompletableFuture<Lease> second = waiting(lock);
    CompletableFuture<TransferReply> slow = slowTransfer();
    assertThatThrownBy(first::release).isInstanceOf(LockUnavailableException.class);
    assertThat(releasedOwners()).containsExactly(onlyTransfer().from(), onlyTransfer().to());
    slow.complete(node.granted());
    assertThat(releasedOwners()).last().isEqualTo(onlyTransfer().to());
    assertThat(node.releases).hasSize(3);
    assertThat(second).isNotDone();
  }

  @Test
  void aLeaseThatWasTakenAwayIsNotHandedOver() {
    DistributedLock lock = builder().open().lock("a");
    Lease first = held(lock);
    CompletableFuture<Lease> second = waiting(lock);
    handing.onTransfer =
        request -> ScriptedNode.done(new NotHeld(NotHeld.Cause.TAKEN, node.micros()));
    assertThat(first.release()).isEqualTo(ReleaseResult.LOST);
    assertThat(second).isNotDone();
    handing.grant(0);
    time.advance(MINUTE.dividedBy(2));
    assertThat(EngineFixture.get(second).isHeld()).isTrue();
  }

  @Test
  void aLeaseWhoseValidityIsOverIsNotHandedOver() {
    DistributedLock lock = builder().option("renewal", "off").open().lock("a");
    Lease first = held(lock);
    CompletableFuture<Lease> second = waiting(lock);
    time.advance(Duration.ofSeconds(30));
    assertThat(first.release()).isEqualTo(ReleaseResult.LOST);
    assertThat(handing.transfers).isEmpty();
    assertThat(second).isNotDone();
  }

  @Test
  void aGuardedServerHasReleasedAndTheCallAsksAgain() {
    DistributedLock lock = builder().open().lock("a");
    Lease first = held(lock);
    CompletableFuture<Lease> second = waiting(lock);
    handing.onTransfer = request -> ScriptedNode.done(new Guarded(100, node.micros()));
    handing.grant(0);
    assertThat(first.release()).isEqualTo(ReleaseResult.RELEASED);
    time.advance(MOMENT);
    assertThat(EngineFixture.get(second).isHeld()).isTrue();
    assertThat(node.releases).isEmpty();
  }

  @Test
  void closingWhileAHandOverIsUnderWayLeavesNothing() {
    LockClient client = builder().open();
    Lease first = held(client.lock("a"));
    CompletableFuture<Lease> second = waiting(client.lock("a"));
    CompletableFuture<TransferReply> slow = slowTransfer();
    CompletableFuture<ReleaseResult> releasing = releasing(first);
    CompletableFuture<Void> closing = CompletableFuture.runAsync(client::close);
    await().atMost(SOON).until(() -> isClosed(client));
    slow.complete(node.granted());
    assertThat(releasing.join()).isEqualTo(ReleaseResult.RELEASED);
    closing.join();
    assertThat(EngineFixture.failure(second)).isInstanceOf(LockClosedException.class);
    assertThat(releasedOwners()).containsExactly(onlyTransfer().to());
  }

  private static boolean isClosed(LockClient client) {
    try {
      client.lock("b").tryAcquire().ifPresent(Lease::close);
      return false;
    } catch (LockClosedException e) {
      return true;
    }
  }

  @Test
  void whenOthersWaitTheLockIsYieldedAfterABound() {
    handing = new HandingNode(node, Capability.WAKE_UPS);
    DistributedLock lock = builder().open().lock("a");
    handing.grant(1);
    Lease first = lock.tryAcquire().orElseThrow();
    handing.busy();
    CompletableFuture<Lease> second = waiting(lock);
    time.advance(Duration.ofMillis(5));
    node.onRelease = request -> ScriptedNode.done(new Released(node.micros(), true));
    handing.grant(0);
    int asked = node.grants.size();
    assertThat(first.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(handing.transfers).isEmpty();
    assertThat(node.releases).hasSize(1).allMatch(ReleaseRequest::yielding);
    time.advance(Duration.ofMillis(19));
    assertThat(node.grants).as("others come first").hasSize(asked);
    time.advance(Duration.ofMillis(12));
    assertThat(EngineFixture.get(second).isHeld()).as("but not for ever").isTrue();
  }

  @Test
  void whoYieldedAsksAsSoonAsItIsWoken() {
    handing = new HandingNode(node, Capability.WAKE_UPS);
    DistributedLock lock = builder().open().lock("a");
    handing.grant(1);
    Lease first = lock.tryAcquire().orElseThrow();
    handing.busy();
    CompletableFuture<Lease> second = waiting(lock);
    time.advance(Duration.ofMillis(5));
    node.onRelease = request -> ScriptedNode.done(new Released(node.micros(), true));
    first.release();
    handing.grant(0);
    node.watchers.forEach(Runnable::run);
    assertThat(EngineFixture.get(second).isHeld()).isTrue();
  }

  @Test
  void whenNobodyIsKnownToWaitTheLockIsLetGoNowAndThen() {
    DistributedLock lock = builder().open().lock("a");
    Lease first = held(lock);
    CompletableFuture<Lease> second = waiting(lock);
    CompletableFuture<Lease> third = waiting(lock);
    time.advance(Duration.ofMillis(100));
    first.release();
    Lease next = EngineFixture.get(second);
    assertThat(handing.transfers).hasSize(1);
    time.advance(Duration.ofMillis(300));
    next.release();
    assertThat(handing.transfers).hasSize(1);
    assertThat(node.releases).hasSize(1).noneMatch(ReleaseRequest::yielding);
    handing.grant(0);
    time.advance(Duration.ofMillis(2));
    assertThat(EngineFixture.get(third).isHeld()).isTrue();
  }

  @SuppressWarnings("LockNotBeforeTry") // each step is looked at by itself
  @Test
  void theLastUnlockOfAThreadHandsTheLockOver() {
    LockClient client = builder().open();
    Lock view = client.lock("a").asLock();
    handing.grant(0);
    view.lock();
    view.lock();
    handing.busy();
    CompletableFuture<Lease> second = waiting(client.lock("a"));
    view.unlock();
    assertThat(handing.transfers).isEmpty();
    view.unlock();
    assertThat(handing.transfers).hasSize(1);
    assertThat(EngineFixture.get(second).isHeld()).isTrue();
    assertThatThrownBy(view::unlock).isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  void eachCallIsToldOnceThatItHasTheLockAndOnceThatItGaveItBack() {
    List<String> heard = new CopyOnWriteArrayList<>();
    AtomicInteger calls = new AtomicInteger();
    LockClient client =
        builder()
            .listener(
                call ->
                    new LockObserver() {
                      private final String name = "call " + calls.incrementAndGet();

                      @Override
                      public void acquired(
                          Moment moment, long token, int rounds, List<NodeAnswer> answers) {
                        heard.add(name + " acquired " + token);
                      }

                      @Override
                      public void released(Moment moment) {
                        heard.add(name + " released");
                      }
                    })
            .open();
    Lease first = held(client.lock("a"));
    CompletableFuture<Lease> second = waiting(client.lock("a"));
    first.release();
    Lease next = EngineFixture.get(second);
    next.release();
    await().atMost(SOON).until(() -> heard.size() >= 4);
    client.close();
    assertThat(heard)
        .containsExactlyInAnyOrder(
            "call 1 acquired " + first.fencingToken(),
            "call 2 acquired " + next.fencingToken(),
            "call 1 released",
            "call 2 released");
  }
}
