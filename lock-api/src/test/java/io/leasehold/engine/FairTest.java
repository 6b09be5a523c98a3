package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockTimeoutException;
import io.leasehold.Locks;
import io.leasehold.spi.Busy;
import io.leasehold.spi.Capability;
import io.leasehold.spi.FairLine;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Calls that wait for a fair lock: the order is the server's. */
class FairTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration MOMENT = Duration.ofMillis(1);
  private static final Duration TURN = Duration.ofMillis(FairLine.TURN_MILLIS);

  private final EngineFixture engine = new EngineFixture();
  private final ScriptedNode node = engine.node;
  private final VirtualTime time = engine.time;
  private final HandingNode line = new HandingNode(node, Capability.WAKE_UPS, Capability.FAIRNESS);
  private final LockClient client =
      Locks.builder()
          .node(line)
          .clock(time)
          .scheduler(time)
          .discoverListeners(false)
          .option("fair", "on")
          .open();
  private final DistributedLock lock = client.lock("a");

  private CompletableFuture<Lease> waiting() {
    CompletableFuture<Lease> future = lock.acquireAsync(MINUTE);
    time.advance(MOMENT);
    assertThat(future).isNotDone();
    return future;
  }

  private List<String> places() {
    return node.grants.stream().map(GrantRequest::place).toList();
  }

  @Test
  void everyCallTakesAPlaceAtOnceAndTheOneInFrontKeepsAskingForItsOwn() {
    line.busy();
    CompletableFuture<Lease> first = waiting();
    CompletableFuture<Lease> second = waiting();
    assertThat(places()).hasSize(3).doesNotContain(GrantRequest.NO_PLACE);
    assertThat(places().get(1)).as("once more, to be woken").isEqualTo(places().get(0));
    assertThat(places().get(2)).isNotEqualTo(places().get(0));
    time.advance(Duration.ofSeconds(50));
    assertThat(node.grants).allMatch(request -> request.queueing() == Queueing.FAIR);
    assertThat(places().subList(3, places().size())).isNotEmpty().containsOnly(places().get(0));
    assertThat(first).isNotDone();
    assertThat(second).isNotDone();
  }

  @Test
  void whoCameFirstIsFirstThoughItsAnswerComesLater() {
    CompletableFuture<GrantReply> slow = new CompletableFuture<>();
    node.onGrant = request -> slow;
    CompletableFuture<Lease> first = waiting();
    line.busy();
    CompletableFuture<Lease> second = waiting();
    slow.complete(new Busy(Busy.UNKNOWN, 0));
    time.advance(MOMENT);
    line.grant(0);
    node.watchers.forEach(Runnable::run);
    assertThat(EngineFixture.get(first).isHeld()).isTrue();
    assertThat(second).isNotDone();
  }

  @Test
  void whoDoesNotWaitTakesNoPlace() {
    line.busy();
    assertThat(lock.tryAcquire()).isEmpty();
    assertThat(places()).containsExactly(GrantRequest.NO_PLACE);
    assertThat(line.left).isEmpty();
  }

  @Test
  void whoIsServedDoesNotLeave() {
    line.busy();
    CompletableFuture<Lease> first = waiting();
    line.grant(0);
    node.watchers.forEach(Runnable::run);
    assertThat(EngineFixture.get(first).isHeld()).isTrue();
    assertThat(line.left).isEmpty();
  }

  @Test
  void whoRunsOutOfTimeLeaves() {
    line.busy();
    CompletableFuture<Lease> first = waiting();
    CompletableFuture<Lease> second = waiting();
    String place = places().get(0);
    time.advance(MINUTE);
    assertThat(EngineFixture.failure(first)).isInstanceOf(LockTimeoutException.class);
    assertThat(EngineFixture.failure(second)).isInstanceOf(LockTimeoutException.class);
    assertThat(line.left).hasSize(2).contains(place);
  }

  @Test
  void whoIsCancelledLeavesAndTheOthersGoOn() {
    line.busy();
    CompletableFuture<Lease> first = waiting();
    CompletableFuture<Lease> second = waiting();
    String place = places().get(0);
    assertThat(first.cancel(false)).isTrue();
    assertThat(line.left).containsExactly(place);
    time.advance(MOMENT);
    line.grant(0);
    node.watchers.forEach(Runnable::run);
    assertThat(EngineFixture.get(second).isHeld()).isTrue();
  }

  @Test
  void whoIsInterruptedLeaves() {
    line.busy();
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
    await()
        .atMost(Duration.ofSeconds(5))
        .until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    thread.interrupt();
    assertThat(end.join()).isInstanceOf(InterruptedException.class);
    await().atMost(Duration.ofSeconds(5)).until(() -> !line.left.isEmpty());
    assertThat(line.left).containsExactly(places().get(0));
  }

  @Test
  void closingLeavesTheLine() {
    line.busy();
    CompletableFuture<Lease> first = waiting();
    client.close();
    assertThat(EngineFixture.failure(first)).isNotNull();
    assertThat(line.left).containsExactly(places().get(0));
  }

  @Test
  void aFairLeaseIsReleasedToTheLineAndNotHandedOver() {
    line.grant(3);
    Lease held = lock.tryAcquire().orElseThrow();
    line.busy();
    CompletableFuture<Lease> waiter = waiting();
    held.release();
    assertThat(line.transfers).isEmpty();
    assertThat(node.releases).hasSize(1).noneMatch(ReleaseRequest::yielding);
    assertThat(waiter).isNotDone();
  }

  @Test
  void whileItIsAnothersTurnTheNextCallWaitsToBeWoken() {
    line.grant(3);
    Lease held = lock.tryAcquire().orElseThrow();
    line.busy();
    CompletableFuture<Lease> waiter = waiting();
    node.onRelease = request -> ScriptedNode.done(new Released(node.micros(), true));
    held.release();
    int asked = node.grants.size();
    time.advance(TURN.minusMillis(1));
    assertThat(node.grants).hasSize(asked);
    line.grant(0);
    time.advance(Duration.ofMillis(60));
    assertThat(EngineFixture.get(waiter).isHeld()).as("a wake-up may be lost").isTrue();
  }

  @Test
  void whenItIsThisClientsTurnTheNextCallAsksAtOnce() {
    line.grant(3);
    Lease held = lock.tryAcquire().orElseThrow();
    line.busy();
    CompletableFuture<Lease> waiter = waiting();
    line.grant(0);
    held.release();
    time.advance(MOMENT);
    assertThat(EngineFixture.get(waiter).isHeld()).isTrue();
  }
}
