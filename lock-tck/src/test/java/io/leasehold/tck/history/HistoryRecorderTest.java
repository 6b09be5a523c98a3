package io.leasehold.tck.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.DistributedLock;
import io.leasehold.DistributedReadWriteLock;
import io.leasehold.Lease;
import io.leasehold.LeaseLostException;
import io.leasehold.LockClient;
import io.leasehold.LockClosedException;
import io.leasehold.LockOptions;
import io.leasehold.LockTimeoutException;
import io.leasehold.Locks;
import io.leasehold.LossReason;
import io.leasehold.ReleaseResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is recorded of a client that works. */
class HistoryRecorderTest {
  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final LockOptions SHORT =
      LockOptions.defaults().withLeaseTime(Duration.ofMillis(300)).withoutRenewal();

  private final Path file;
  private final HistoryRecorder recorder;
  private final LockClient client;

  HistoryRecorderTest(@TempDir Path folder) {
    file = folder.resolve("p.history");
    recorder = HistoryRecorder.to(file, "p");
    client = recorder.recording(Locks.open("lock:mem://history"));
  }

  @BeforeEach
  void aHistoryBeginsWithItsProcess() throws Exception {
    assertThat(Files.readAllLines(file).get(0)).isEqualTo("history 1 p");
  }

  /** Whatever a test does here, it is nothing that must not happen. */
  @AfterEach
  void nothingIsFoundInIt() {
    client.close();
    recorder.close();
    assertThat(HistoryChecker.check(history(), HistoryBounds.NONE).violations()).isEmpty();
  }

  private History history() {
    return History.read(List.of(file));
  }

  private Acquisition call(int index) {
    return history().calls().get(index);
  }

  /** The recorder's handler of the loss runs on a thread of its own, like the test's. */
  private void awaitLoss(LossReason reason) {
    await().atMost(WAIT).until(() -> call(0).lossReason().equals(Optional.of(reason)));
  }

  /** The events of a file without their times: what was written, in order. */
  private List<String> events() throws Exception {
    return Files.readAllLines(file).stream().skip(2).map(line -> line.split(" ", -1)[1]).toList();
  }

  @Test
  void aLeaseIsWrittenFromItsCallToItsEnd() throws Exception {
    long before = System.nanoTime();
    Lease lease = client.lock("orders").acquire(WAIT);
    long held = System.nanoTime();
    assertThat(lease.isHeld()).isTrue();
    assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    long after = System.nanoTime();
    assertThat(events()).containsExactly("acquire", "granted", "held", "release", "released");
    Acquisition call = call(0);
    assertThat(call.kind()).isEqualTo(LockKind.MUTEX);
    assertThat(call.locks()).containsExactly("orders");
    assertThat(call.process()).isEqualTo("p");
    assertThat(call.token()).hasValue(lease.fencingToken());
    assertThat(call.calledNanos()).isBetween(before, held);
    assertThat(call.grantedNanos().orElseThrow()).isBetween(call.calledNanos(), held);
    assertThat(call.releaseNanos().orElseThrow()).isBetween(held, after);
    assertThat(call.claimedUntilNanos()).isEqualTo(call.releaseNanos());
    assertThat(call.ending()).contains(Ending.RELEASED);
  }

  @Test
  void whoIsRefusedIsWrittenWithItsReason() throws Exception {
    try (Lease lease = client.lock("a").acquire()) {
      assertThat(client.lock("a").tryAcquire()).isEmpty();
      assertThat(client.lock("a").tryAcquire(Duration.ofMillis(10))).isEmpty();
      assertThatThrownBy(() -> client.lock("a").acquire(Duration.ofMillis(10)))
          .isInstanceOf(LockTimeoutException.class);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> client.lock("a").acquire(WAIT))
          .isInstanceOf(InterruptedException.class);
      assertThat(lease.isHeld()).isTrue();
    }
    client.close();
    assertThatThrownBy(() -> client.lock("a").tryAcquire()).isInstanceOf(LockClosedException.class);
    assertThat(history().calls().stream().flatMap(call -> call.refusal().stream()))
        .containsExactly(
            Refusal.BUSY, Refusal.BUSY, Refusal.BUSY, Refusal.INTERRUPTED, Refusal.CLOSED);
  }

  @Test
  void aThreadThatIsInterruptedWritesOn() throws Exception {
    Thread.currentThread().interrupt();
    Lease lease = client.lock("a").tryAcquire().orElseThrow();
    lease.close();
    assertThat(Thread.interrupted()).isTrue();
    client.lock("a").acquire(WAIT).close();
    assertThat(history().calls()).allMatch(call -> call.ending().isPresent());
  }

  @Test
  void futuresAreWrittenAndTheirCancellation() throws Exception {
    Lease lease = client.lock("a").acquireAsync(WAIT).get(10, TimeUnit.SECONDS);
    CompletableFuture<Lease> waiting = client.lock("a").acquireAsync(WAIT);
    assertThat(waiting.cancel(false)).isTrue();
    lease.close();
    client.lock("a").acquireAsync(WAIT).get(10, TimeUnit.SECONDS).close();
    assertThat(call(0).ending()).contains(Ending.RELEASED);
    assertThat(call(1).refusal()).contains(Refusal.CANCELLED);
    assertThat(call(2).ending()).contains(Ending.RELEASED);
  }

  @Test
  void aLossIsWrittenWithItsReasonAndWhatTheHolderIsTold() throws Exception {
    Lease lease = client.lock("a", SHORT).acquire();
    CompletableFuture<LossReason> loss = new CompletableFuture<>();
    lease.onLost(told -> loss.complete(told.reason()));
    assertThat(loss.get(10, TimeUnit.SECONDS)).isEqualTo(LossReason.EXPIRED);
    assertThat(lease.isHeld()).isFalse();
    assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
    assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
    client.close();
    awaitLoss(LossReason.EXPIRED);
    Acquisition call = call(0);
    assertThat(call.ending()).contains(Ending.LOST);
    long claimed = call.claimedUntilNanos().orElseThrow() - call.grantedNanos().orElseThrow();
    assertThat(claimed).isBetween(0L, 300_000_000L);
  }

  @Test
  void forceAndWhatItDoesAreWritten() throws Exception {
    Lease lease = client.lock("a", SHORT.withRenewal()).acquire();
    client.forceRelease("a", "a test");
    CompletableFuture<LossReason> loss = new CompletableFuture<>();
    lease.onLost(told -> loss.complete(told.reason()));
    assertThat(loss.get(10, TimeUnit.SECONDS)).isEqualTo(LossReason.FORCED);
    client.close();
    assertThat(events()).contains("force", "forced");
    awaitLoss(LossReason.FORCED);
  }

  @Test
  void readersWritersAndDowngradesAreWritten() throws Exception {
    DistributedReadWriteLock lock = client.readWriteLock("rw");
    Lease writer = lock.writeLock().acquire();
    Lease reader = lock.downgrade(writer);
    Lease beside = lock.readLock().acquire();
    reader.close();
    beside.close();
    assertThatThrownBy(() -> lock.downgrade(writer)).isInstanceOf(IllegalStateException.class);
    assertThat(history().calls().stream().map(Acquisition::kind))
        .containsExactly(LockKind.WRITE, LockKind.READ, LockKind.READ);
    assertThat(call(0).ending()).contains(Ending.RELEASED);
    assertThat(call(0).releaseNanos().orElseThrow())
        .isLessThanOrEqualTo(call(1).grantedNanos().orElseThrow());
  }

  @Test
  void permitsAndSetsAreWritten() throws Exception {
    client.semaphore("s", 2).acquire().close();
    client.all("x", "y", "x").acquire().close();
    assertThat(call(0).kind()).isEqualTo(LockKind.PERMIT);
    assertThat(Files.readString(file)).contains("permit:2 s");
    assertThat(call(1).locks()).containsExactly("x", "y");
  }

  @SuppressWarnings("LockNotBeforeTry") // each step is looked at by itself
  @Test
  void aViewIsOneLeaseFromTheFirstLockToTheLastUnlock() throws Exception {
    DistributedLock lock = client.lock("v");
    Lock view = lock.asLock();
    view.lock();
    lock.asLock().lock();
    assertThat(view.tryLock()).isTrue();
    view.unlock();
    view.unlock();
    view.unlock();
    assertThatThrownBy(view::unlock).isInstanceOf(IllegalMonitorStateException.class);
    assertThat(events())
        .containsExactly(
            "acquire", "granted", "held", "held", "held", "held", "release", "released");
    assertThat(call(0).token()).isEmpty();
    assertThat(call(0).claimedUntilNanos()).isEqualTo(call(0).releaseNanos());
  }

  @SuppressWarnings("LockNotBeforeTry") // each step is looked at by itself
  @Test
  void aViewWhoseLeaseWasLostSaysSo() throws Exception {
    Lock view = client.lock("v", SHORT).asLock();
    view.lock();
    Lease next = client.lock("v").acquire(WAIT); // as soon as it has ended
    assertThatThrownBy(view::lock).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(view::unlock).isInstanceOf(IllegalMonitorStateException.class);
    next.close();
    assertThat(call(0).ending()).contains(Ending.LOST);
    assertThat(events()).contains("ended");
  }

  @Test
  void aViewThatIsRefusedSaysSo() throws Exception {
    try (Lease lease = client.lock("v").acquire()) {
      assertThat(client.lock("v").asLock().tryLock()).isFalse();
      assertThat(client.lock("v").asLock().tryLock(5, TimeUnit.MILLISECONDS)).isFalse();
      assertThat(lease.isHeld()).isTrue();
    }
    assertThat(call(1).refusal()).contains(Refusal.BUSY);
    assertThat(call(2).refusal()).contains(Refusal.BUSY);
  }

  @SuppressWarnings("LockNotBeforeTry") // each step is looked at by itself
  @Test
  void aThreadThatWritesReadsAlongAndGoesOnAsAReader() throws Exception {
    ReadWriteLock view = client.readWriteLock("rw").asReadWriteLock();
    view.writeLock().lock();
    view.readLock().lock();
    view.readLock().unlock();
    view.readLock().lock();
    view.writeLock().unlock(); // a downgrade
    assertThat(view.writeLock().tryLock()).isFalse(); // of its own: nothing is asked
    view.readLock().unlock();
    assertThat(history().calls().stream().map(Acquisition::kind))
        .containsExactly(LockKind.WRITE, LockKind.READ);
    assertThat(history().calls()).allMatch(call -> call.ending().equals(call(0).ending()));
    assertThat(call(1).ending()).contains(Ending.RELEASED);
  }

  @Test
  void faultsHaveABeginningAndAnEnd() throws Exception {
    FaultMark mark = recorder.fault("kill", "server-1");
    recorder.note("");
    recorder.note("it is dead: 100 %");
    mark.close();
    mark.close();
    recorder.fault("pause", "p");
    assertThat(history().faults()).hasSize(2);
    assertThat(history().faults().get(0).toNanos()).isLessThan(Long.MAX_VALUE);
    assertThat(history().faults().get(1).toNanos()).isEqualTo(Long.MAX_VALUE);
    assertThatThrownBy(() -> recorder.fault("two words", "p"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void ofManyAnswersThatALeaseIsHeldTheLastIsAlwaysWritten() throws Exception {
    Lease lease = client.lock("a", SHORT).acquire();
    long last = 0;
    long asked = 0;
    while (lease.isHeld()) {
      last = asked;
      asked = System.nanoTime();
    }
    lease.close();
    client.close();
    assertThat(call(0).claimedUntilNanos().orElseThrow()).isGreaterThanOrEqualTo(last);
    assertThat(events().stream().filter("held"::equals).count()).isLessThan(200);
  }
}
