package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.spi.Capability;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.Released;
import io.leasehold.spi.TimeSource;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Nodes that break the contract, by silence, by nonsense or by throwing, cost bounded time only.
 */
class BrokenNodeTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private final EngineFixture engine = new EngineFixture();
  private final ScriptedNode node = engine.node;

  private LockClient open(LockNode over) {
    return Locks.builder()
        .node(over)
        .clock(engine.time)
        .scheduler(engine.time)
        .discoverListeners(false)
        .open();
  }

  @Test
  void oneRenewalWithoutAnAnswerDoesNotCostTheLease() {
    AtomicInteger asked = new AtomicInteger();
    LockClient client =
        open(
            new ForwardingNode(node) {
              @Override
              public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
                return asked.incrementAndGet() == 1
                    ? new CompletableFuture<>()
                    : super.extend(requests);
              }
            });
    Lease lease = client.lock("a").tryAcquire().orElseThrow();
    engine.time.advance(Duration.ofSeconds(45));
    assertThat(asked.get()).isGreaterThan(1);
    assertThat(lease.isHeld()).isTrue();
  }

  @Test
  void aReleaseInTheBackgroundWithoutAnAnswerIsRepeated() {
    node.onGrant = request -> ScriptedNode.done(new Failed(FailureKind.TIMEOUT, "silence"));
    AtomicInteger asked = new AtomicInteger();
    node.onRelease =
        request ->
            asked.incrementAndGet() == 1
                ? new CompletableFuture<>()
                : ScriptedNode.done(new Released(node.micros()));
    EngineFixture.failure(engine.open().lock("a").acquireAsync(Duration.ZERO));
    engine.time.advance(Duration.ofSeconds(20));
    assertThat(node.releases).hasSizeGreaterThan(1);
  }

  @Test
  @SuppressWarnings("NullAway") // a null answer is what this is about
  void anEmptyAnswerIsAFailureAndNeverAConfirmation() {
    LockClient client = engine.open();
    Lease lease = client.lock("a").tryAcquire().orElseThrow();
    node.onRelease = request -> ScriptedNode.done((ReleaseReply) null);
    assertThatThrownBy(lease::release).isInstanceOf(LockUnavailableException.class);
    node.onGrant = request -> ScriptedNode.done((GrantReply) null);
    assertThat(EngineFixture.failure(client.lock("b").acquireAsync(MINUTE)))
        .isInstanceOf(LockUnavailableException.class);
  }

  @Test
  void aTokenOutsideOfItsRangeIsNotHandedOut() {
    for (long token : new long[] {0, -1, 1L << 53}) {
      node.onGrant = request -> ScriptedNode.done(new Granted(token, node.micros()));
      assertThatThrownBy(() -> engine.open().lock("a").tryAcquire())
          .isInstanceOf(LockUnavailableException.class)
          .hasMessageContaining("token");
    }
    assertThat(node.releases).hasSize(3);
  }

  @Test
  void aWatchThatThrowsWhenItIsClosedCostsNobodyALease() {
    node.capabilities = Set.of(Capability.WAKE_UPS, Capability.FENCING);
    node.onGrant = request -> ScriptedNode.done(node.busy(60_000));
    LockClient client =
        open(
            new ForwardingNode(node) {
              @Override
              public CompletionStage<WatchReply> watch(String name, Runnable wake) {
                node.watchers.add(wake);
                return ScriptedNode.done(
                    new Watching(
                        () -> {
                          throw new IllegalStateException("the connection is gone");
                        }));
              }
            });
    CompletableFuture<Lease> future = client.lock("a").acquireAsync(MINUTE);
    engine.time.advance(Duration.ofSeconds(1));
    node.onGrant = request -> ScriptedNode.done(node.granted());
    node.watchers.forEach(Runnable::run);
    assertThat(EngineFixture.get(future).isHeld()).isTrue();
  }

  @Test
  void aNodeThatThrowsWhenItIsClosedLeavesNoThread() {
    LockClient client =
        Locks.builder()
            .node(
                new ForwardingNode(new ScriptedNode(TimeSource.system())) {
                  @Override
                  public String label() {
                    return "throws-on-close";
                  }

                  @Override
                  public void close() {
                    throw new IllegalStateException("driver");
                  }
                })
            .discoverListeners(false)
            .open();
    long before = timers();
    assertThat(client.lock("a").tryAcquire()).isPresent();
    assertThat(timers()).isGreaterThan(before);
    client.close();
    await().atMost(Duration.ofSeconds(5)).until(() -> timers() <= before);
  }

  private static long timers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.isAlive() && thread.getName().startsWith("leasehold-timer"))
        .count();
  }

  @Test
  void noTextOfADriverGetsIntoOurMessages() {
    LockNode talkative =
        new ForwardingNode(new ScriptedNode(TimeSource.system())) {
          @Override
          public boolean blocking() {
            return true;
          }

          @Override
          public CompletionStage<GrantReply> grant(GrantRequest request) {
            throw new IllegalStateException("AUTH failed for redis://app:s3cr3t@host");
          }
        };
    try (LockClient client = Locks.builder().node(talkative).discoverListeners(false).open()) {
      assertThat(EngineFixture.failure(client.lock("a").acquireAsync(MINUTE)))
          .hasMessageNotContaining("s3cr3t");
      assertThatThrownBy(() -> client.lock("a").tryAcquire()).hasMessageNotContaining("s3cr3t");
    }
  }
}
