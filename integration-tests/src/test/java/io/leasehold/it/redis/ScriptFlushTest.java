package io.leasehold.it.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.testkit.RedisServer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server forgets its scripts while they are in use. */
class ScriptFlushTest {

  @ParameterizedTest
  @EnumSource(Driver.class)
  void nobodyNotices(Driver driver) {
    try (RedisServer server = RedisServer.start();
        LockClient client = Locks.open(driver.url(server))) {
      long token = 0;
      for (int i = 0; i < 1_000; i++) {
        if (i % 100 == 50) {
          server.command("SCRIPT", "FLUSH");
        }
        Lease lease = client.lock("a").tryAcquire().orElseThrow();
        assertThat(lease.fencingToken()).isGreaterThan(token);
        token = lease.fencingToken();
        if (i % 100 == 70) {
          server.command("SCRIPT", "FLUSH");
        }
        assertThat(lease.release()).hasToString("RELEASED");
      }
    }
  }
}
