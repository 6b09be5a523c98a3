package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.DistributedReadWriteLock;
import io.leasehold.Lease;
import io.leasehold.LeaseLostException;
import io.leasehold.LockCapabilityException;
import io.leasehold.LockClient;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockOptions;
import io.leasehold.LockTimeoutException;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.LossReason;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.junit.jupiter.api.Test;

/** Read-write locks over the two views of a node, and the view that threads have of them. */
@SuppressWarnings("LockNotBeforeTry") // the steps between lock and unlock are what is tested
class ReadWriteLockTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration MOMENT = Duration.ofMillis(1);

  private final EngineFixture engine = new EngineFixture();
  private final VirtualTime time = engine.time;
  private final KindsNode node = new KindsNode(engine.node, time);
  private final LockClient client =
      Locks.builder()
          .node(node)
          .clock(time)
          .scheduler(time)
          .discoverListeners(false)
          .option("prefix", "p:")
          .open();
  private final DistributedReadWriteLock lock = client.readWriteLock("a");

  private Lease writer() {
    return lock.writeLock().tryAcquire().orElseThrow();
  }

  @Test
  void eachSideAsksItsOwnView() {
    assertThat(lock.readLock().tryAcquire()).isPresent();
    assertThat(lock.writeLock().tryAcquire()).isPresent();
    assertThat(node.reads.grants).hasSize(1);
    assertThat(node.writers.grants).hasSize(1);
    assertThat(node.writers.grants.get(0).name()).isEqualTo("p:a");
    assertThat(engine.node.grants).isEmpty();
  }

  @Test
  void callsOfOneClientReadAtTheSameTime() {
    node.readers.busy();
    List<CompletableFuture<Lease>> calls = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      calls.add(lock.readLock().acquireAsync(MINUTE));
      time.advance(MOMENT);
    }
    assertThat(calls).noneMatch(CompletableFuture::isDone);
    node.readers.grant(0);
    node.reads.watchers.forEach(Runnable::run); // one wake-up serves all of them
    time.advance(MOMENT);
    for (CompletableFuture<Lease> call : calls) {
      assertThat(EngineFixture.get(call).isHeld()).isTrue();
    }
    assertThat(node.readers.transfers).as("readers hand nothing over").isEmpty();
  }

  @Test
  void aReaderThatRunsOutOfTimeBehindOneWhoGotItAsksForItself() {
    node.readers.busy();
    CompletableFuture<Lease> first = lock.readLock().acquireAsync(MINUTE);
    CompletableFuture<Lease> second = lock.readLock().acquireAsync(MINUTE);
    time.advance(MOMENT);
    node.reads.onGrant =
        request -> {
          node.readers.busy(); // for whoever asks next
          return ScriptedNode.done((GrantReply) node.reads.granted());
        };
    node.reads.watchers.forEach(Runnable::run);
    time.advance(MOMENT);
    assertThat(EngineFixture.get(first).isHeld()).isTrue();
    assertThat(second).isNotDone();
    int asked = node.reads.grants.size();
    time.advance(MINUTE);
    assertThat(EngineFixture.failure(second)).isInstanceOf(LockTimeoutException.class);
    assertThat(node.reads.grants.size()).isGreaterThan(asked);
  }

  @Test
  void aWriterThatReleasesLetsThoseComeFirstWhoWereWoken() {
    Lease held = writer();
    node.writers.onGrant = request -> ScriptedNode.done(node.writers.busy(60_000));
    CompletableFuture<Lease> next = lock.writeLock().acquireAsync(MINUTE);
    time.advance(MOMENT);
    node.writers.onRelease =
        request -> ScriptedNode.done(new Released(node.writers.micros(), true));
    node.writers.onGrant = request -> ScriptedNode.done((GrantReply) node.writers.granted());
    int asked = node.writers.grants.size();
    held.release();
    time.advance(Duration.ofMillis(4));
    assertThat(node.writers.grants).as("others have been woken").hasSize(asked);
    time.advance(Duration.ofMillis(7));
    assertThat(EngineFixture.get(next).isHeld()).isTrue();
  }

  @Test
  void aDowngradeIsOneRequestAndEndsTheWriter() {
    Lease writer = writer();
    Lease reader = lock.downgrade(writer);
    assertThat(node.readers.transfers).hasSize(1);
    assertThat(node.readers.transfers.get(0).from()).isEqualTo(node.writers.grants.get(0).owner());
    assertThat(writer.isHeld()).isFalse();
    assertThat(writer.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(reader.isHeld()).isTrue();
    assertThat(node.writers.releases).isEmpty();
    reader.release();
    assertThat(node.reads.releases)
        .containsExactly(new ReleaseRequest("p:a", node.readers.transfers.get(0).to()));
  }

  @Test
  void aReaderThatWasAWriterIsRenewedAsAReader() {
    Lease reader = lock.downgrade(writer());
    time.advance(Duration.ofSeconds(25));
    assertThat(reader.isHeld()).isTrue();
    assertThat(node.reads.extensions).isNotEmpty();
    assertThat(node.writers.extensions).isEmpty();
  }

  @Test
  void aWriterWhoseLeaseWasLostCannotBeDowngraded() {
    Lease writer = writer();
    node.readers.onTransfer =
        request -> ScriptedNode.done(new NotHeld(NotHeld.Cause.TAKEN, node.reads.micros()));
    assertThatThrownBy(() -> lock.downgrade(writer))
        .isInstanceOfSatisfying(
            LeaseLostException.class, e -> assertThat(e.reason()).isEqualTo(LossReason.TAKEN));
    assertThatThrownBy(() -> lock.downgrade(writer)).isInstanceOf(LeaseLostException.class);
    assertThat(node.readers.transfers).hasSize(1);
  }

  @Test
  void aDowngradeWhoseReplyWasLostReleasesBoth() {
    Lease writer = writer();
    node.readers.onTransfer =
        request -> ScriptedNode.done(new Failed(FailureKind.TIMEOUT, "silence"));
    CompletableFuture<ReleaseReply> slow = new CompletableFuture<>();
    node.writers.onRelease = request -> slow;
    assertThatThrownBy(() -> lock.downgrade(writer)).isInstanceOf(LockUnavailableException.class);
    assertThat(writer.isHeld()).isFalse();
    assertThat(node.writers.releases).hasSize(1);
    assertThat(node.reads.releases).as("before the writer's release is confirmed").isEmpty();
    slow.complete(new Released(node.reads.micros()));
    assertThat(node.reads.releases)
        .containsExactly(new ReleaseRequest("p:a", node.readers.transfers.get(0).to()));
  }

  @Test
  void aDowngradeOnAGuardedServerIsARelease() {
    Lease writer = writer();
    node.readers.onTransfer = request -> ScriptedNode.done(new Guarded(1_000, node.reads.micros()));
    assertThatThrownBy(() -> lock.downgrade(writer)).isInstanceOf(LockUnavailableException.class);
    assertThat(writer.isHeld()).isFalse();
  }

  @Test
  void onlyAWriterOfThisLockCanBeDowngraded() {
    Lease reader = lock.readLock().tryAcquire().orElseThrow();
    Lease other = client.readWriteLock("b").writeLock().tryAcquire().orElseThrow();
    Lease plain = client.lock("a").tryAcquire().orElseThrow();
    for (Lease wrong : List.of(reader, other, plain)) {
      assertThatThrownBy(() -> lock.downgrade(wrong)).isInstanceOf(IllegalArgumentException.class);
      assertThat(wrong.isHeld()).isTrue();
    }
    Lease writer = writer();
    writer.release();
    assertThatThrownBy(() -> lock.downgrade(writer)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aThreadThatWritesMayReadAlongAndSendsNothingForIt() {
    ReadWriteLock view = lock.asReadWriteLock();
    view.writeLock().lock();
    view.readLock().lock();
    assertThat(view.readLock().tryLock()).isTrue();
    assertThat(node.reads.grants).isEmpty();
    view.readLock().unlock();
    view.readLock().unlock();
    view.writeLock().unlock();
    assertThat(node.readers.transfers).isEmpty();
    assertThat(node.writers.releases).hasSize(1);
    assertThat(node.reads.releases).isEmpty();
  }

  @Test
  void unlockingTheWriteLockFirstIsADowngrade() {
    ReadWriteLock view = lock.asReadWriteLock();
    view.writeLock().lock();
    lock.readLock().asLock().lock(); // the same view
    view.writeLock().unlock();
    assertThat(node.readers.transfers).hasSize(1);
    assertThat(node.writers.releases).isEmpty();
    view.readLock().unlock();
    assertThat(node.reads.releases).hasSize(1);
    assertThatThrownBy(() -> view.readLock().unlock())
        .isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  void aThreadThatReadsIsToldThatItWouldWaitForItself() {
    ReadWriteLock view = lock.asReadWriteLock();
    view.readLock().lock();
    Lock write = view.writeLock();
    assertThat(write.tryLock()).isFalse();
    assertThatThrownBy(write::lock).isInstanceOf(IllegalMonitorStateException.class);
    assertThatThrownBy(write::lockInterruptibly).isInstanceOf(IllegalMonitorStateException.class);
    assertThatThrownBy(() -> write.tryLock(1, TimeUnit.SECONDS))
        .isInstanceOf(IllegalMonitorStateException.class);
    assertThat(node.writers.grants).isEmpty();
    view.readLock().unlock();
    assertThat(write.tryLock()).isTrue();
  }

  @Test
  void unlockingWhatWasLostSaysSoOnBothSides() {
    ReadWriteLock view = lock.asReadWriteLock();
    view.writeLock().lock();
    view.readLock().lock();
    node.readers.onTransfer =
        request -> ScriptedNode.done(new NotHeld(NotHeld.Cause.FORCED, node.reads.micros()));
    for (Lock side : List.of(view.writeLock(), view.readLock())) {
      assertThatThrownBy(side::unlock)
          .isInstanceOf(IllegalMonitorStateException.class)
          .cause()
          .isInstanceOfSatisfying(
              LeaseLostException.class, e -> assertThat(e.reason()).isEqualTo(LossReason.FORCED));
    }
  }

  @Test
  void neitherSideHasConditions() {
    ReadWriteLock view = lock.asReadWriteLock();
    for (Lock side : List.of(view.writeLock(), view.readLock())) {
      assertThatThrownBy(side::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }
  }

  @Test
  void whatIsNotOfferedIsRefused() {
    try (LockClient plain = engine.open()) {
      assertThatThrownBy(() -> plain.readWriteLock("a"))
          .isInstanceOf(LockCapabilityException.class)
          .hasMessageContaining("read-write locks");
    }
    assertThatThrownBy(() -> client.readWriteLock("a", LockOptions.defaults().withFair()))
        .isInstanceOf(LockConfigurationException.class)
        .hasMessageContaining("fair");
    assertThatThrownBy(() -> client.readWriteLock(" "))
        .isInstanceOf(LockConfigurationException.class);
  }
}
