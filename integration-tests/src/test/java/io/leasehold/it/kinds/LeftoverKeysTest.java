package io.leasehold.it.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Leasable;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockOptions;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.testkit.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Locks of all kinds that have ended, one way or the other, leave nothing that does not expire. */
@Tag("full")
class LeftoverKeysTest {
  private static final Duration RETENTION = Duration.ofSeconds(11);
  private static final int AT_ONCE = 500;

  /** Lines in which somebody stood who gave up; docs/redis.md tells of them. */
  private static final Pattern LINES =
      Pattern.compile("leasehold:(waiters|rw-reading|rw-writing|sem-waiters):.*");

  private static final Duration LINES_LAST = Duration.ofMinutes(10);

  @Test
  void afterThousandsOnlyLinesAreLeftAndTheyExpire() {
    try (RedisServer server = RedisServer.start()) {
      endMany(server, 2_000);
      for (String key : all(server)) {
        assertThat(key).matches(LINES);
        assertThat((Long) server.command("PTTL", key)).isBetween(1L, LINES_LAST.toMillis());
      }
    }
  }

  @Test
  void afterHundredThousandNothingIsLeft() {
    try (RedisServer server = RedisServer.start()) {
      endMany(server, 100_000);
      await()
          .atMost(LINES_LAST.plusMinutes(1))
          .pollInterval(Duration.ofSeconds(1))
          .untilAsserted(() -> assertThat(all(server)).isEmpty());
    }
  }

  private static void endMany(RedisServer server, int count) {
    Random random = new Random();
    String url = Driver.LETTUCE.url(server, "fenceRetention=" + RETENTION.toSeconds() + "s");
    try (LockClient client = Locks.open(url)) {
      for (int from = 0; from < count; from += AT_ONCE) {
        List<CompletableFuture<Lease>> asked = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
          asked.add(any(client, random, from + i).acquireAsync(Duration.ofMillis(300)));
        }
        for (CompletableFuture<Lease> lease : asked) {
          end(lease, random);
        }
      }
    }
    assertThat(withoutExpiry(server)).isEmpty();
    await()
        .atMost(RETENTION.plusSeconds(20))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> assertThat(all(server)).allMatch(key -> LINES.matcher(key).matches()));
  }

  private static Leasable any(LockClient client, Random random, int number) {
    String name = "n" + (random.nextInt(4) == 0 ? random.nextInt(20) : number);
    LockOptions options =
        LockOptions.defaults().withoutRenewal().withLeaseTime(Duration.ofMillis(900));
    return switch (random.nextInt(6)) {
      case 0 -> client.lock(name, options);
      case 1 -> client.lock(name, options.withFair());
      case 2 -> client.readWriteLock(name, options).readLock();
      case 3 -> client.readWriteLock(name, options).writeLock();
      case 4 -> client.semaphore(name, 1 + random.nextInt(3), options);
      default -> client.all(List.of(name, name + "b", "c" + random.nextInt(5)), options);
    };
  }

  /** Released, given up, or left to its end. */
  private static void end(CompletableFuture<Lease> asked, Random random) {
    int dice = random.nextInt(10);
    if (dice == 0) {
      asked.cancel(false);
    } else if (dice > 1) {
      asked
          .handle(
              (lease, busy) -> {
                if (lease != null) {
                  lease.close();
                }
                return true;
              })
          .join();
    }
  }

  private static List<String> withoutExpiry(RedisServer server) {
    return all(server).stream()
        .filter(key -> Objects.equals(server.command("PTTL", key), -1L))
        .toList();
  }

  private static List<String> all(RedisServer server) {
    if (!(server.command("KEYS", "*") instanceof List<?> keys)) {
      throw new AssertionError("no list of keys");
    }
    return keys.stream().map(LeftoverKeysTest::text).toList();
  }

  private static String text(Object key) {
    return key instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : key.toString();
  }
}
