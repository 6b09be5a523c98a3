package io.leasehold.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.ReleaseResult;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * The server's clock is stepped forward while a lease is held that another call of its client
 * handed over. The lease ends, and no later grant has a smaller token than one that was complete.
 */
class SteppedServerTest {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int ROUNDS = 10;

  @Test
  void tokensFollowTimeWhenTheClockOfTheServerIsSteppedForward() throws Exception {
    ClockShim shim;
    try {
      shim = ClockShim.open();
    } catch (IllegalStateException e) {
      Assumptions.abort(String.valueOf(e.getMessage()));
      return;
    }
    try (shim;
        RedisServer server = shim.start();
        LockClient client = Locks.open(url(server));
        LockClient other = Locks.open(url(server))) {
      for (int round = 1; round <= ROUNDS; round++) {
        DistributedLock lock = client.lock("stepped-" + round);
        Lease first = lock.acquire(SOON);
        CompletableFuture<Lease> second = waiting(lock, server);
        first.release();
        Lease handedOver = get(second);
        shim.set(server, MINUTE.multipliedBy(round)); // beyond the end of the lease
        Lease between = other.lock(lock.name()).acquire(SOON);
        assertThat(between.fencingToken()).isGreaterThan(handedOver.fencingToken());
        CompletableFuture<Lease> later = waiting(lock, server);
        assertThat(handedOver.release()).isEqualTo(ReleaseResult.LOST);
        assertThat(later).as("while another client holds the lock").isNotDone();
        between.release();
        try (Lease lease = get(later)) {
          assertThat(lease.fencingToken()).isGreaterThan(between.fencingToken());
        }
      }
    }
  }

  private static String url(RedisServer server) {
    return "lock:jedis:redis://127.0.0.1:"
        + server.port()
        + "?commandTimeout=5s&connectTimeout=10s";
  }

  private static CompletableFuture<Lease> waiting(DistributedLock lock, RedisServer server) {
    CompletableFuture<Lease> call = lock.acquireAsync(MINUTE);
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(1))
        .until(
            () ->
                server.command("KEYS", "leasehold:waiters:*" + lock.name()) instanceof List<?> lines
                    && !lines.isEmpty());
    return call;
  }

  private static Lease get(CompletableFuture<Lease> call) throws Exception {
    return call.get(SOON.toSeconds(), TimeUnit.SECONDS);
  }
}
