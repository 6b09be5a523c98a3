package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockClosedException;
import io.leasehold.Locks;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class GivingUpTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private final EngineFixture engine = new EngineFixture();
  private final ScriptedNode node = engine.node;

  private List<String> granted() {
    return node.grants.stream().map(GrantRequest::owner).toList();
  }

  @Test
  void aFutureCancelledWhileItsRequestIsUnderWayHoldsNothing() {
    CompletableFuture<GrantReply> slow = new CompletableFuture<>();
    node.onGrant = request -> slow;
    CompletableFuture<Lease> future = engine.open().lock("a").acquireAsync(MINUTE);
    assertThat(future.cancel(true)).isTrue();
    assertThat(node.releases).extracting(ReleaseRequest::owner).isEqualTo(granted());
    slow.complete(node.granted());
    assertThat(node.releases).as("the late grant goes back too").hasSize(2);
    engine.time.advance(MINUTE);
    assertThat(node.extensions).as("nothing is renewed").isEmpty();
  }

  @Test
  void aFutureCancelledInLineLeavesTheLine() {
    node.onGrant = request -> ScriptedNode.done(node.busy(60_000));
    LockClient client = engine.open();
    CompletableFuture<Lease> first = client.lock("a").acquireAsync(MINUTE);
    CompletableFuture<Lease> second = client.lock("a").acquireAsync(MINUTE);
    engine.time.advance(Duration.ofSeconds(1));
    assertThat(first.cancel(false)).isTrue();
    node.onGrant = request -> ScriptedNode.done(node.granted());
    engine.time.advance(Duration.ofMillis(300));
    assertThat(EngineFixture.get(second).isHeld()).isTrue();
  }

  @Test
  void aFutureThatTheCallerCompletesGivesTheLeaseBack() {
    CompletableFuture<GrantReply> slow = new CompletableFuture<>();
    node.onGrant = request -> slow;
    CompletableFuture<Lease> future = engine.open().lock("a").acquireAsync(MINUTE);
    future.completeExceptionally(new IllegalStateException("the caller's own time-out"));
    slow.complete(node.granted());
    assertThat(node.releases).extracting(ReleaseRequest::owner).containsOnly(granted().get(0));
  }

  @Test
  void anInterruptedThreadHoldsNothing() throws InterruptedException {
    CompletableFuture<GrantReply> slow = new CompletableFuture<>();
    node.onGrant = request -> slow;
    DistributedLock lock = engine.open().lock("a");
    AtomicReference<Throwable> outcome = new AtomicReference<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                lock.acquire(MINUTE);
              } catch (Throwable e) {
                outcome.set(e);
              }
            });
    thread.start();
    await().atMost(Duration.ofSeconds(5)).until(() -> !node.grants.isEmpty());
    thread.interrupt();
    thread.join(5_000);
    assertThat(outcome.get()).isInstanceOf(InterruptedException.class);
    assertThat(node.releases).extracting(ReleaseRequest::owner).isEqualTo(granted());
    slow.complete(node.granted());
    assertThat(node.releases).hasSize(2);
  }

  @Test
  void anInterruptedThreadSendsNothing() {
    DistributedLock lock = engine.open().lock("a");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> lock.acquire(MINUTE)).isInstanceOf(InterruptedException.class);
    assertThat(node.grants).isEmpty();
  }

  @Test
  void releasingWorksOnAnInterruptedThreadAndKeepsTheFlag() {
    Lease lease = engine.open().lock("a").tryAcquire().orElseThrow();
    Thread.currentThread().interrupt();
    lease.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(node.releases).hasSize(1);
  }

  @Test
  void closingTheClientEndsTwoThousandWaitersWithAClearOutcome() {
    LockClient client = Locks.open("lock:mem://two-thousand");
    try (Lease held = client.lock("a").tryAcquire().orElseThrow()) {
      int before = Thread.activeCount();
      List<CompletableFuture<Lease>> waiting = new ArrayList<>();
      for (int i = 0; i < 2_000; i++) {
        waiting.add(client.lock("a").acquireAsync(MINUTE));
      }
      assertThat(Thread.activeCount() - before).as("threads of ours").isLessThan(30);
      client.close();
      for (CompletableFuture<Lease> future : waiting) {
        assertThat(EngineFixture.failure(future)).isInstanceOf(LockClosedException.class);
      }
      assertThat(held.isHeld()).isFalse();
    }
    client.close(); // again: nothing happens
    assertThatThrownBy(() -> client.lock("a").tryAcquire()).isInstanceOf(LockClosedException.class);
  }

  @Test
  void aGrantThatArrivesDuringCloseIsGivenBack() {
    CompletableFuture<GrantReply> slow = new CompletableFuture<>();
    node.onGrant = request -> slow;
    LockClient client = engine.open();
    CompletableFuture<Lease> future = client.lock("a").acquireAsync(MINUTE);
    Thread closer = new Thread(client::close);
    closer.start();
    await()
        .atMost(Duration.ofSeconds(5))
        .until(() -> closer.getState() == Thread.State.TIMED_WAITING);
    slow.complete(node.granted());
    assertThat(EngineFixture.failure(future)).isInstanceOf(LockClosedException.class);
    assertThat(node.releases).extracting(ReleaseRequest::owner).isEqualTo(granted());
  }

  @Test
  void closingTheClientWaitsForAReleaseThatIsUnderWay() {
    CompletableFuture<ReleaseReply> slow = new CompletableFuture<>();
    ScriptedNode real = new ScriptedNode(TimeSource.system());
    real.onRelease = request -> slow;
    LockClient client =
        Locks.builder()
            .node(
                new ForwardingNode(real) {
                  @Override
                  public void close() {
                    slow.complete(new Failed(FailureKind.CLOSED, "closed"));
                  }
                })
            .discoverListeners(false)
            .open();
    Lease lease = client.lock("a").tryAcquire().orElseThrow();
    CompletableFuture<ReleaseResult> result = CompletableFuture.supplyAsync(lease::release);
    await().atMost(Duration.ofSeconds(5)).until(() -> !real.releases.isEmpty());
    Thread closer = new Thread(client::close);
    closer.start();
    await()
        .atMost(Duration.ofSeconds(5))
        .until(() -> closer.getState() == Thread.State.TIMED_WAITING);
    slow.complete(new Released(real.micros()));
    assertThat(result.join()).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void aClosedClientFailsTheFutureAndDoesNotThrow() {
    LockClient client = engine.open();
    client.close();
    assertThat(EngineFixture.failure(client.lock("a").acquireAsync(MINUTE)))
        .isInstanceOf(LockClosedException.class);
  }

  @Test
  void interruptingAgainAndAgainDoesNotPutOffTheEndOfARelease() throws InterruptedException {
    ScriptedNode real = new ScriptedNode(TimeSource.system());
    try (LockClient client = Locks.builder().node(real).discoverListeners(false).open()) {
      Lease lease = client.lock("a").tryAcquire().orElseThrow();
      real.onRelease = request -> new CompletableFuture<>();
      Thread thread = new Thread(lease::close);
      thread.start();
      await()
          .pollInterval(Duration.ofMillis(50))
          .atMost(Duration.ofSeconds(2)) // 600 ms of patience, however often
          .until(
              () -> {
                thread.interrupt();
                return !thread.isAlive();
              });
    }
  }
}
