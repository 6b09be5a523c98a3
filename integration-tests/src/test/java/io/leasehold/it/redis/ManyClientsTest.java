package io.leasehold.it.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many clients that wait for one lock are quiet, and a release wakes one of them. */
class ManyClientsTest {
  /** How often the holder may renew meanwhile: it does each ten seconds. */
  private static final long RENEWALS = 2;

  @Test
  void clientsThatWaitAreQuietAndOneIsWoken() {
    waitQuietly(Driver.LETTUCE, 20, Duration.ofSeconds(3), 0);
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(Driver.class)
  void twoHundredClientsThatWaitSendAtMostOneCommandEachInFifteenSeconds(Driver driver) {
    waitQuietly(driver, 200, Duration.ofSeconds(15), 200);
  }

  private static void waitQuietly(Driver driver, int count, Duration span, long mostCommands) {
    List<LockClient> clients = new ArrayList<>();
    try (RedisServer server = RedisServer.start();
        LockClient holder = Locks.open(driver.url(server))) {
      Lease held = holder.lock("a").tryAcquire().orElseThrow();
      List<CompletableFuture<Lease>> waiting = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        LockClient client = Locks.open(driver.url(server));
        clients.add(client);
        waiting.add(client.lock("a").acquireAsync(Duration.ofMinutes(2)));
      }
      await().atMost(60, TimeUnit.SECONDS).until(() -> inLine(server) == count);
      server.command("CONFIG", "RESETSTAT");
      await()
          .during(span)
          .atMost(span.plusSeconds(30))
          .pollInterval(Duration.ofMillis(500))
          .until(() -> done(waiting) == 0);
      assertThat(server.calls("evalsha")).isLessThanOrEqualTo(mostCommands + RENEWALS);

      server.command("CONFIG", "RESETSTAT");
      held.release();
      await().atMost(5, TimeUnit.SECONDS).until(() -> done(waiting) == 1);
      assertThat(server.calls("publish")).as("wake-ups").isEqualTo(1);
      assertThat(server.calls("evalsha"))
          .as("a release, the grant of the one woken, and those who look now and then")
          .isBetween(2L, 2 + mostCommands);
      assertThat(inLine(server)).isEqualTo(count - 1L);
    } finally {
      clients.forEach(LockClient::close);
    }
  }

  private static long inLine(RedisServer server) {
    return server.command("KEYS", "leasehold:waiters:*") instanceof List<?> keys && !keys.isEmpty()
        ? (Long) Objects.requireNonNull(server.command("ZCARD", String.valueOf(keys.get(0))))
        : 0;
  }

  private static long done(List<CompletableFuture<Lease>> waiting) {
    return waiting.stream().filter(CompletableFuture::isDone).count();
  }
}
