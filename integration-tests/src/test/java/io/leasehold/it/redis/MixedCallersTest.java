package io.leasehold.it.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.it.EachDriver;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Blocking and asynchronous calls of one client for one lock: each is served once. */
@ParameterizedClass
@EachDriver
class MixedCallersTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int CALLERS = 4;
  private static final int TIMES = Boolean.getBoolean("leasehold.full") ? 500 : 25;

  @Parameter Driver driver = Driver.LETTUCE;

  private final AtomicBoolean held = new AtomicBoolean();
  private final List<Long> tokens = new ArrayList<>(); // guarded by the lock that is tested

  @Test
  void blockingAndAsynchronousCallsAreEachServedOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2 * CALLERS);
    try (RedisServer server = RedisServer.start();
        LockClient client =
            Locks.open(driver.url(server, "commandTimeout=5s", "connectTimeout=10s"))) {
      DistributedLock lock = client.lock("mixed");
      List<CompletableFuture<?>> all = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        all.add(CompletableFuture.runAsync(() -> blocking(lock), threads));
        all.add(asynchronous(lock, TIMES, threads));
      }
      CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]))
          .get(MINUTE.toSeconds(), TimeUnit.SECONDS);
      assertThat(tokens).hasSize(2 * CALLERS * TIMES).doesNotHaveDuplicates().isSorted();
      assertThat(server.command("EXISTS", "mixed")).as("held by no call").isEqualTo(0L);
    } finally {
      threads.shutdownNow();
    }
  }

  private void blocking(DistributedLock lock) {
    for (int i = 0; i < TIMES; i++) {
      try {
        use(lock.acquire(MINUTE));
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private CompletableFuture<?> asynchronous(
      DistributedLock lock, int times, ExecutorService threads) {
    return times == 0
        ? CompletableFuture.completedFuture(null)
        : lock.acquireAsync(MINUTE)
            .thenAcceptAsync(this::use, threads)
            .thenCompose(done -> asynchronous(lock, times - 1, threads));
  }

  private void use(Lease lease) {
    assertThat(held.compareAndSet(false, true)).as("no other call holds it").isTrue();
    tokens.add(lease.fencingToken());
    held.set(false);
    lease.release();
  }
}
