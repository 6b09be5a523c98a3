package io.leasehold.it.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Counts, on the server, what clients send. */
@ParameterizedClass
@EnumSource(Driver.class)
class RoundTripsTest {
  private static RedisServer server;

  @Parameter Driver driver = Driver.LETTUCE;
  private LockClient client;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void openAndResetTheCounters() {
    client = Locks.open(driver.at(server.port()));
    server.command("CONFIG", "RESETSTAT");
  }

  @AfterEach
  void close() {
    client.close();
  }

  /**
   * What clients called; what runs inside of scripts is counted by the server under its own name.
   */
  private static Map<String, Long> clientCalls() {
    Map<String, Long> calls = new TreeMap<>();
    for (String command : server.info("commandstats").keySet()) {
      String name = command.substring("cmdstat_".length());
      boolean insideScripts =
          name.matches(
              "get|set|del|time|zrem|zrange|pexpire|pttl|zadd|zcard|zscore|publish|exists");
      boolean ourOwn = name.matches("info|config.*");
      if (!insideScripts && !ourOwn) {
        calls.put(name, server.calls(name));
      }
    }
    return calls;
  }

  @Test
  void anUncontendedCycleIsTwoClientCalls() {
    expectTwoCallsEach(1_000);
  }

  @Test
  @Tag("full")
  void tenThousandUncontendedCyclesAreTwentyThousandClientCalls() {
    expectTwoCallsEach(10_000);
  }

  private void expectTwoCallsEach(int cycles) {
    DistributedLock lock = client.lock("cycle");
    for (int i = 0; i < cycles; i++) {
      Lease lease = lock.tryAcquire().orElseThrow();
      assertThat(lease.release()).hasToString("RELEASED");
    }
    assertThat(clientCalls()).isEqualTo(Map.of("evalsha", 2L * cycles));
  }

  /**
   * The short way through the scripts asks for no key that it also writes, but for whose the lock
   * is that is given back. It was once taken only in that half of each second in which a request's
   * deadline lay in the next.
   */
  @Test
  void anUncontendedCycleGoesTheShortWayAtEveryMomentOfASecond() {
    DistributedLock lock = client.lock("cycle");
    long end = System.nanoTime() + Duration.ofMillis(1_100).toNanos();
    long cycles = 0;
    for (; System.nanoTime() - end < 0; cycles++) {
      lock.tryAcquire().orElseThrow().close();
    }
    assertThat(server.calls("get")).isBetween(cycles, cycles + cycles / 20 + 2);
  }

  @Test
  void waitingForAFreeLockCostsNoMore() throws InterruptedException {
    DistributedLock lock = client.lock("cycle");
    for (int i = 0; i < 100; i++) {
      lock.acquire().close();
      lock.acquireAsync(Duration.ofSeconds(5)).join().close();
    }
    assertThat(clientCalls()).isEqualTo(Map.of("evalsha", 400L));
  }

  @Test
  @SuppressWarnings("LockNotBeforeTry") // the calls between lock and unlock are what is counted
  void reenteringSendsNothing() {
    Lock lock = client.lock("reentered").asLock();
    lock.lock();
    for (int i = 0; i < 1_000; i++) {
      lock.lock();
      lock.unlock();
    }
    assertThat(clientCalls()).isEqualTo(Map.of("evalsha", 1L));
    lock.unlock();
    assertThat(clientCalls()).isEqualTo(Map.of("evalsha", 2L));
  }
}
