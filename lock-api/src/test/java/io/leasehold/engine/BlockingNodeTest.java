package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A driver that blocks: on the caller's thread for blocking calls, elsewhere for all others. */
class BlockingNodeTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private final ScriptedNode node = new ScriptedNode(TimeSource.system());

  private class Blocking extends ForwardingNode {
    Blocking() {
      super(node);
    }

    @Override
    public boolean blocking() {
      return true;
    }
  }

  private static LockClient open(LockNode over, String leaseTime) {
    return Locks.builder()
        .node(over)
        .option("leaseTime", leaseTime)
        .discoverListeners(false)
        .open();
  }

  @Test
  void aBlockingCallStaysOnTheCallersThreadAndAnAsyncOneNeverTouchesIt() {
    Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    LockNode watched =
        new Blocking() {
          @Override
          public CompletionStage<GrantReply> grant(GrantRequest request) {
            threads.add(Thread.currentThread());
            return super.grant(request);
          }

          @Override
          public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
            threads.add(Thread.currentThread());
            return super.release(request);
          }

          @Override
          public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
            threads.add(Thread.currentThread());
            return super.extend(requests);
          }
        };
    try (LockClient client = open(watched, "1s")) {
      client.lock("a").tryAcquire().orElseThrow().release();
      assertThat(threads).containsOnly(Thread.currentThread());
      threads.clear();
      Lease lease = EngineFixture.get(client.lock("a").acquireAsync(MINUTE));
      await().atMost(Duration.ofSeconds(5)).until(() -> threads.size() >= 3); // and renewals
      assertThat(threads)
          .doesNotContain(Thread.currentThread())
          .noneMatch(thread -> thread.getName().startsWith("leasehold-timer"));
      assertThat(lease.isHeld()).isTrue();
    }
  }

  @Test
  void renewalsDoNotQueueBehindThoseWhoWait() {
    LockNode slow =
        new Blocking() {
          @Override
          public CompletionStage<GrantReply> grant(GrantRequest request) {
            if (request.name().startsWith("busy")) {
              LockSupport.parkNanos(100_000_000L); // slow, far below the command timeout
              return ScriptedNode.done(node.busy(60_000));
            }
            return super.grant(request);
          }
        };
    try (LockClient client = open(slow, "1s")) {
      Lease lease = client.lock("mine").tryAcquire().orElseThrow();
      for (int i = 0; i < 500; i++) {
        assertThat(client.lock("busy" + i).acquireAsync(MINUTE)).isNotNull();
      }
      await().during(Duration.ofSeconds(2)).atMost(Duration.ofSeconds(3)).until(lease::isHeld);
    }
  }

  @Test
  void releasingWorksOnAnInterruptedThreadAlsoIfTheDriverMustWaitForAConnection() {
    Semaphore connections = new Semaphore(1);
    LockNode pooled =
        new Blocking() {
          @Override
          public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
            try {
              connections.acquire();
              connections.release();
              return super.release(request);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              return ScriptedNode.done(new Failed(FailureKind.UNREACHABLE, "interrupted", e));
            }
          }
        };
    try (LockClient client = open(pooled, "30s")) {
      Lease lease = client.lock("a").tryAcquire().orElseThrow();
      Thread.currentThread().interrupt();
      assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
      assertThat(Thread.interrupted()).as("the flag is kept").isTrue();
    }
  }

  @Test
  void whatIsGrantedToAThreadThatWasInterruptedMeanwhileIsReleased() {
    LockNode interrupting =
        new Blocking() {
          @Override
          public CompletionStage<GrantReply> grant(GrantRequest request) {
            Thread.currentThread().interrupt(); // while the driver is reading
            return super.grant(request);
          }
        };
    try (LockClient client = open(interrupting, "30s")) {
      assertThatThrownBy(() -> client.lock("a").acquire(MINUTE))
          .isInstanceOf(InterruptedException.class);
      await().atMost(Duration.ofSeconds(5)).until(() -> !node.releases.isEmpty());
      assertThat(node.releases.get(0).owner()).isEqualTo(node.grants.get(0).owner());
    }
  }
}
