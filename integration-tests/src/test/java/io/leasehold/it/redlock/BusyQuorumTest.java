package io.leasehold.it.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * API-3 on a quorum with several threads of one client: a lock that another client holds is busy,
 * not unavailable. The timeouts are long: a server that a busy machine delays is not at issue here.
 */
class BusyQuorumTest {
  private static final boolean FULL = Boolean.getBoolean("leasehold.full");
  private static final int THREADS = 4;
  private static final int CALLS = 100;
  private static final Duration FULL_LENGTH = Duration.ofSeconds(8);

  private final Queue<String> other = new ConcurrentLinkedQueue<>();

  @ParameterizedTest
  @EnumSource(Driver.class)
  void everyThreadHearsBusyWhileAnotherClientHoldsTheLockOnHealthyServers(Driver driver)
      throws InterruptedException {
    try (QuorumServers servers = QuorumServers.start(3).vouched();
        LockClient holder = Locks.open(servers.url(driver, "commandTimeout=5s"));
        LockClient client = Locks.open(servers.url(driver, "commandTimeout=5s"));
        Lease held = holder.lock("a").acquire(Duration.ofSeconds(10))) {
      List<CompletableFuture<Void>> threads = new ArrayList<>();
      ExecutorService executor = Executors.newFixedThreadPool(THREADS);
      for (int i = 0; i < THREADS; i++) {
        threads.add(CompletableFuture.runAsync(() -> tryToAcquire(client.lock("a")), executor));
      }
      executor.shutdown();
      assertThat(CompletableFuture.allOf(threads.toArray(new CompletableFuture<?>[0])))
          .succeedsWithin(60, TimeUnit.SECONDS);
      assertThat(other).as("API-3: what was not reported as busy").isEmpty();
      assertThat(held.isHeld()).isTrue();
    }
  }

  private void tryToAcquire(DistributedLock lock) {
    long end = System.nanoTime() + FULL_LENGTH.toNanos();
    for (int i = 0; i < CALLS || (FULL && System.nanoTime() < end); i++) {
      try {
        lock.tryAcquire().ifPresent(lease -> other.add("granted " + lease));
      } catch (LockException e) {
        other.add(e.toString());
      }
    }
  }
}
