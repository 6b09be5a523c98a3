package io.leasehold.it.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.LossReason;
import io.leasehold.it.Driver;
import io.leasehold.testkit.Persistence;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A lease that is renewed, on a server that restarts. */
class RenewalTest {
  private static final Duration LEASE = Duration.ofSeconds(6);

  @ParameterizedTest
  @EnumSource(Driver.class)
  void renewalSurvivesARestartWithTheData(Driver driver) throws Exception {
    try (RedisServer server = RedisServer.builder().persistence(Persistence.APPEND_ONLY).start();
        LockClient client = Locks.open(driver.url(server, "leaseTime=6s"));
        Lease lease = client.lock("a").acquire(Duration.ofSeconds(5))) {
      server.kill();
      server.restart(RedisServer.Data.KEPT);
      TimeUnit.MILLISECONDS.sleep(LEASE.plusSeconds(2).toMillis());
      assertThat(lease.isHeld()).isTrue();
      assertThat(server.command("GET", "a")).isNotNull();
      assertThat(lease.release()).hasToString("RELEASED");
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void whoeverLostItsKeyIsToldAtTheNextRenewal(Driver driver) throws Exception {
    try (RedisServer server = RedisServer.start();
        LockClient client = Locks.open(driver.url(server, "leaseTime=6s"));
        Lease lease = client.lock("a").acquire(Duration.ofSeconds(5))) {
      AtomicReference<LossReason> lost = new AtomicReference<>();
      AtomicReference<Duration> left = new AtomicReference<>();
      server.restart(RedisServer.Data.LOST);
      lease.onLost(loss -> lost.set(loss.reason()));
      await()
          .atMost(LEASE)
          .until(
              () -> {
                if (lost.get() == null) {
                  left.set(lease.remaining());
                }
                return lost.get() != null;
              });
      assertThat(lost.get()).isEqualTo(LossReason.TAKEN);
      // Renewed each third: told when about two thirds of its validity were left.
      assertThat(left.get()).isGreaterThan(Duration.ofSeconds(1));
    }
  }
}
