package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.LockListener;
import io.leasehold.LockObserver;
import io.leasehold.Locks;
import io.leasehold.LossReason;
import io.leasehold.spi.Capability;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.NodeAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ListenerTest {
  private final EngineFixture engine = new EngineFixture();
  private final List<String> heard = new CopyOnWriteArrayList<>();

  private final class Recorder implements LockObserver {
    @Override
    public void attempted(Moment moment, AttemptOutcome outcome, List<NodeAnswer> answers) {
      heard.add("attempted " + outcome + " " + answers);
    }

    @Override
    public void waiting(Moment moment) {
      heard.add("waiting");
    }

    @Override
    public void woken(Moment moment) {
      heard.add("woken");
    }

    @Override
    public void renewalFailed(Moment moment, List<NodeAnswer> answers) {
      heard.add("renewalFailed");
    }

    @Override
    public void acquired(Moment moment, long token, int rounds, List<NodeAnswer> answers) {
      heard.add("acquired " + token);
    }

    @Override
    public void failed(Moment moment, Throwable outcome) {
      heard.add("failed " + outcome.getClass().getSimpleName());
    }

    @Override
    public void releasing(Moment moment) {
      heard.add("releasing");
    }

    @Override
    public void releaseFailed(Moment moment, List<NodeAnswer> answers) {
      heard.add("releaseFailed " + answers);
    }

    @Override
    public void released(Moment moment) {
      heard.add("released");
    }

    @Override
    public void lost(Moment moment, LossReason reason) {
      heard.add("lost " + reason);
    }
  }

  private void heardInTheEnd(String... events) {
    await().atMost(Duration.ofSeconds(5)).until(() -> heard.size() >= events.length);
    assertThat(heard).containsExactly(events);
  }

  @Test
  void aCallIsFollowedFromItsStartOnTheCallersThreadToTheEndOfTheLease() {
    Thread caller = Thread.currentThread();
    LockListener listener =
        call -> {
          assertThat(Thread.currentThread()).isSameAs(caller);
          heard.add("start " + call.lockName());
          return new Recorder();
        };
    LockClient client = engine.builder().listener(listener).open();
    client.lock("a").tryAcquire().orElseThrow().release();
    heardInTheEnd("start a", "acquired 101", "releasing", "released");
    heard.clear();
    engine.node.onGrant = request -> ScriptedNode.done(engine.node.busy(700));
    assertThat(client.lock("a").tryAcquire()).isEmpty();
    heardInTheEnd(
        "start a", "attempted BUSY [scripted: BUSY (for 700 ms)]", "failed LockTimeoutException");
  }

  @Test
  void aLossIsHeardOnce() {
    LockClient client = engine.builder().listener(call -> new Recorder()).open();
    Lease lease = client.lock("a").tryAcquire().orElseThrow();
    engine.time.stepWallClock(Duration.ofMinutes(1));
    assertThat(lease.isHeld()).isFalse();
    lease.close();
    client.close();
    heardInTheEnd("acquired 101", "lost RENEWAL_FAILED");
  }

  @Test
  void aStartTellsWhatIsAskedForAndOfWhom() {
    List<LockListener.AcquireCall> calls = new CopyOnWriteArrayList<>();
    LockClient client =
        engine
            .builder()
            .listener(
                call -> {
                  calls.add(call);
                  return LockObserver.NONE;
                })
            .open();
    client.lock("a").tryAcquire().orElseThrow().release();
    assertThat(calls)
        .containsExactly(
            new LockListener.AcquireCall(
                "a",
                LockListener.AcquireCall.Kind.LOCK,
                "scripted",
                "unknown",
                "scripted",
                0,
                LockListener.AcquireCall.Mode.BLOCKING,
                new LockObserver.Moment(engine.time.monotonicNanos(), engine.time.wallMillis())));
  }

  @Test
  void aReleaseThatIsNotConfirmedIsHeard() {
    engine.node.onRelease =
        request -> ScriptedNode.done(new Failed(FailureKind.UNREACHABLE, "gone"));
    LockClient client = engine.builder().listener(call -> new Recorder()).open();
    client.lock("a").tryAcquire().orElseThrow().close();
    heardInTheEnd(
        "acquired 101",
        "releasing",
        "releaseFailed [scripted: FAILED (UNREACHABLE: gone)]",
        "released");
  }

  @Test
  void aListenerThatThrowsHarmsNobody() {
    LockListener hostile =
        call -> {
          throw new IllegalStateException("start");
        };
    LockListener rude =
        call ->
            new LockObserver() {
              @Override
              public void acquired(
                  Moment moment, long token, int rounds, List<NodeAnswer> answers) {
                throw new IllegalStateException("acquired");
              }
            };
    LockClient client =
        engine.builder().listener(hostile).listener(rude).listener(call -> new Recorder()).open();
    client.lock("a").tryAcquire().orElseThrow().release();
    heardInTheEnd("acquired 101", "releasing", "released");
  }

  @Test
  void aListenerThatBlocksHoldsUpNobody() {
    CountDownLatch never = new CountDownLatch(1);
    LockListener slow =
        call ->
            new LockObserver() {
              @Override
              public void acquired(
                  Moment moment, long token, int rounds, List<NodeAnswer> answers) {
                try {
                  never.await();
                } catch (InterruptedException e) {
                  heard.add("interrupted by close");
                }
              }
            };
    LockClient client = engine.builder().listener(slow).open();
    for (int i = 0; i <= LockListener.BACKLOG / 3; i++) { // three events each
      client.lock("a").tryAcquire().orElseThrow().release();
    }
    client.close();
    heardInTheEnd("interrupted by close");
  }

  @Test
  void aWaiterThatIsWokenIsSaidToBeWoken() {
    engine.node.capabilities = Set.of(Capability.WAKE_UPS, Capability.FENCING);
    engine.node.onGrant = request -> ScriptedNode.done(engine.node.busy(3_600_000));
    LockClient client = engine.builder().listener(call -> new Recorder()).open();
    CompletableFuture<Lease> waiting = client.lock("a").acquireAsync(Duration.ofMinutes(1));
    engine.time.advance(Duration.ofSeconds(1));
    engine.node.onGrant = request -> ScriptedNode.done(engine.node.granted());
    engine.node.watchers.forEach(Runnable::run);
    EngineFixture.get(waiting);
    heardInTheEnd(
        "attempted BUSY [scripted: BUSY (for 3600000 ms)]",
        "waiting",
        "attempted BUSY [scripted: BUSY (for 3600000 ms)]",
        "woken",
        "acquired 101");
  }

  @Test
  void nothingIsToldAfterTheEnd() {
    CompletableFuture<List<ExtendReply>> slow = new CompletableFuture<>();
    LockClient client =
        Locks.builder()
            .node(
                new ForwardingNode(engine.node) {
                  @Override
                  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
                    return slow;
                  }
                })
            .clock(engine.time)
            .scheduler(engine.time)
            .discoverListeners(false)
            .listener(call -> new Recorder())
            .open();
    Lease lease = client.lock("a").tryAcquire().orElseThrow();
    engine.time.advance(Duration.ofMillis(10_100));
    lease.release();
    slow.complete(List.of(new Failed(FailureKind.TIMEOUT, "late")));
    client.close();
    heardInTheEnd("acquired 101", "releasing", "released");
  }

  @Test
  void everyWaiterIsToldOfTheCloseAlsoByAnInterruptedThread() {
    engine.node.onGrant = request -> ScriptedNode.done(engine.node.busy(60_000));
    LockClient client = engine.builder().listener(call -> new Recorder()).open();
    for (int i = 0; i < 20; i++) {
      new Thread(
              () -> {
                try {
                  client.lock("a").acquire(Duration.ofMinutes(1));
                } catch (InterruptedException | LockException e) {
                  return; // told to the listener
                }
              })
          .start();
    }
    await().atMost(Duration.ofSeconds(5)).until(() -> count("waiting") == 20);
    Thread.currentThread().interrupt();
    client.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(count("failed LockClosedException")).isEqualTo(20);
  }

  private long count(String event) {
    return heard.stream().filter(event::equals).count();
  }
}
