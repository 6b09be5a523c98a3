package io.leasehold.it.layouts;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Older code with SETNX and GETSET, and clients of ours, on one lock. */
class BesideSetnxTest {
  private static final String NAME = "shared";

  @Test
  void eachExcludesTheOtherAndTakesOverWhenItsTimeIsPast() throws Exception {
    try (RedisServer server = RedisServer.start();
        LockClient client =
            Locks.open(Driver.LETTUCE.url(server, "layout=setnx", "renewal=off", "leaseTime=1s"));
        SetnxClient old = new SetnxClient(server.port())) {
      Lease lease = client.lock(NAME).acquire();
      assertThat(old.tryLock(NAME, 10_000)).isFalse();
      lease.release();
      assertThat(old.tryLock(NAME, 10_000)).isTrue();
      assertThat(client.lock(NAME).tryAcquire()).isEmpty();
      old.unlock(NAME);

      // Each dies with it.
      assertThat(old.tryLock(NAME, 500)).isTrue();
      long begin = System.nanoTime();
      client.lock(NAME).acquire(Duration.ofSeconds(10));
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isBetween(Duration.ofMillis(300), Duration.ofSeconds(3));
      begin = System.nanoTime();
      while (!old.tryLock(NAME, 10_000)) {
        LockSupport.parkNanos(5_000_000);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isBetween(Duration.ofMillis(700), Duration.ofSeconds(3));
    }
  }
}
