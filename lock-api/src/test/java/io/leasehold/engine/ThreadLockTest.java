package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LeaseLostException;
import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.LossReason;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

@SuppressWarnings("LockNotBeforeTry") // the steps between lock and unlock are what is tested
class ThreadLockTest {
  private final EngineFixture engine = new EngineFixture();
  private final LockClient client = engine.open();
  private final Lock lock = client.lock("a").asLock();

  @Test
  void reenteringIsCountedAndSendsNothing() throws InterruptedException {
    lock.lock();
    assertThat(lock.tryLock()).isTrue();
    assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
    client.lock("a").asLock().lockInterruptibly(); // another view of the same lock
    assertThat(engine.node.grants).hasSize(1);
    lock.unlock();
    lock.unlock();
    lock.unlock();
    assertThat(engine.node.releases).isEmpty();
    lock.unlock();
    assertThat(engine.node.releases).hasSize(1);
  }

  @Test
  void aStrangerCannotUnlock() throws InterruptedException {
    lock.lock();
    AtomicReference<Throwable> outcome = new AtomicReference<>();
    Thread stranger =
        new Thread(
            () -> {
              try {
                lock.unlock();
              } catch (Throwable e) {
                outcome.set(e);
              }
            });
    stranger.start();
    stranger.join();
    assertThat(outcome.get()).isInstanceOf(IllegalMonitorStateException.class);
    assertThat(engine.node.releases).isEmpty();
    lock.unlock();
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  void anotherThreadDoesNotEnter() throws InterruptedException {
    lock.lock();
    engine.node.onGrant = request -> ScriptedNode.done(engine.node.busy(1_000));
    AtomicReference<Boolean> entered = new AtomicReference<>();
    Thread other = new Thread(() -> entered.set(lock.tryLock()));
    other.start();
    other.join();
    assertThat(entered.get()).isFalse();
  }

  @Test
  void afterALossReenteringAndUnlockingSaySo() {
    engine.node.onExtend = request -> new NotHeld(NotHeld.Cause.TAKEN, engine.node.micros());
    lock.lock();
    lock.lock();
    engine.time.advance(Duration.ofSeconds(11));
    assertThatThrownBy(lock::lock).isInstanceOf(LeaseLostException.class);
    for (int hold = 0; hold < 2; hold++) {
      assertThatThrownBy(lock::unlock)
          .isInstanceOf(IllegalMonitorStateException.class)
          .cause()
          .isInstanceOfSatisfying(
              LeaseLostException.class,
              lost -> assertThat(lost.reason()).isEqualTo(LossReason.TAKEN));
    }
    lock.lock(); // a new lease
    lock.unlock();
  }

  @Test
  void serversThatAreGoneAreTold() {
    engine.node.onGrant =
        request -> ScriptedNode.done(new Failed(FailureKind.NOT_AUTHENTICATED, "log in"));
    assertThatThrownBy(lock::lock).isInstanceOf(LockUnavailableException.class);
    assertThatThrownBy(lock::tryLock).isInstanceOf(LockUnavailableException.class);
  }

  @Test
  void thereAreNoConditions() {
    assertThatThrownBy(lock::newCondition)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("no conditions");
  }

  @Test
  void serversThatAreGoneAreToldToEverybodyInLineAtTheSameTime() throws InterruptedException {
    ScriptedNode real = new ScriptedNode(TimeSource.system());
    real.onGrant = request -> ScriptedNode.done(new Failed(FailureKind.UNREACHABLE, "gone"));
    try (LockClient patient =
        Locks.builder().node(real).option("waitTime", "300ms").discoverListeners(false).open()) {
      CountDownLatch told = new CountDownLatch(6);
      for (int i = 0; i < 6; i++) {
        new Thread(
                () -> {
                  try {
                    patient.lock("a").asLock().lock();
                  } catch (LockUnavailableException e) {
                    told.countDown();
                  }
                })
            .start();
      }
      assertThat(told.await(1_500, TimeUnit.MILLISECONDS)).isTrue();
    }
  }
}
