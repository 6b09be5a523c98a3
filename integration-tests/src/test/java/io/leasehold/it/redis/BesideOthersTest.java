package io.leasehold.it.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The layout is that of the published algorithm: any client that follows it is excluded too. */
class BesideOthersTest {
  private static final String COMPARE_AND_DELETE =
      "if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) end return 0";

  @Test
  void aPlainClientAndOursExcludeEachOther() throws InterruptedException {
    try (RedisServer server = RedisServer.start();
        LockClient client = Locks.open(Driver.LETTUCE.at(server.port(), "prefix=shop:"))) {
      Lease lease = client.lock("a").tryAcquire().orElseThrow();
      assertThat(server.command("SET", "shop:a", "theirs", "NX", "PX", "1000")).isNull();
      assertThat(server.command("EVAL", COMPARE_AND_DELETE, "1", "shop:a", "theirs")).isEqualTo(0L);
      lease.release();
      assertThat(server.command("SET", "shop:a", "theirs", "NX", "PX", "700")).isEqualTo("OK");
      assertThat(client.lock("a").tryAcquire()).isEmpty();
      long start = System.nanoTime();
      try (Lease next = client.lock("a").acquire(Duration.ofSeconds(5))) {
        assertThat(Duration.ofNanos(System.nanoTime() - start))
            .isBetween(Duration.ofMillis(400), Duration.ofSeconds(2));
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
      }
    }
  }

  @Test
  void whatIsLeftBehindHasAnExpiry() {
    try (RedisServer server = RedisServer.start()) {
      // With the client goes the key that says who it is.
      try (LockClient client = Locks.open(Driver.LETTUCE.at(server.port(), "fenceRetention=11s"))) {
        for (int i = 0; i < 100; i++) {
          client.lock("one-off-" + i).tryAcquire().orElseThrow().close();
        }
      }
      List<?> keys = (List<?>) server.command("KEYS", "*");
      assertThat(keys)
          .isNotNull()
          .hasSize(100)
          .allSatisfy(
              key -> {
                assertThat(key.toString()).startsWith("leasehold:fence:{");
                assertThat((Long) server.command("PTTL", key.toString())).isBetween(1L, 11_000L);
              });
    }
  }
}
