package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockListener;
import io.leasehold.LockObserver;
import io.leasehold.LossReason;
import io.leasehold.spi.NodeAnswer;
import java.time.Duration;
import java.util.List;
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
    public void acquired(Moment moment, long token, int rounds, List<NodeAnswer> answers) {
      heard.add("acquired " + token);
    }

    @Override
    public void failed(Moment moment, Throwable outcome) {
      heard.add("failed " + outcome.getClass().getSimpleName());
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
    heardInTheEnd("start a", "acquired 101", "released");
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
    heardInTheEnd("acquired 101", "released");
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
    for (int i = 0; i <= LockListener.BACKLOG / 2; i++) { // two events each
      client.lock("a").tryAcquire().orElseThrow().release();
    }
    client.close();
    heardInTheEnd("interrupted by close");
  }
}
