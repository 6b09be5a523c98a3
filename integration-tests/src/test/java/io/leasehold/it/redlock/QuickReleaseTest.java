package io.leasehold.it.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A lock that is given back at once: the servers that nobody waited for may be about to grant it,
 * and the release must neither overtake the grant there nor be forgotten. The normal run has one
 * driver for each of the long tests.
 */
class QuickReleaseTest {
  private static final int THREADS = 32;
  private static final int CYCLES = 60;
  private static final Duration STALL = Duration.ofMillis(400);

  @Test
  void nothingIsLeftOnTheServersThatNobodyWaitedFor() {
    cycleOnFive(Driver.JEDIS, servers -> {});
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(Driver.class)
  void nothingIsLeftOnTheServersThatNobodyWaitedForWithAnyDriver(Driver driver) {
    cycleOnFive(driver, servers -> {});
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(Driver.class)
  void nothingIsLeftOnAServerThatStalledForAMomentWithAnyDriver(Driver driver) {
    cycleOnFive(driver, QuickReleaseTest::stallOne);
  }

  private static void stallOne(QuorumServers servers) {
    for (int i = 0; i < 3; i++) {
      servers.server(3).pause();
      LockSupport.parkNanos(STALL.toNanos()); // too short to be given up
      servers.server(3).resume();
      LockSupport.parkNanos(STALL.toNanos());
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void nothingIsLeftOfLeasesThatWereHeldWhenTheClientWasClosed(Driver driver) {
    try (QuorumServers servers = QuorumServers.behindProxies(5).vouched()) {
      servers.proxy(3).delay(Duration.ofMillis(10));
      servers.proxy(4).delay(Duration.ofMillis(20));
      try (LockClient client = Locks.open(servers.url(driver, "commandTimeout=2s"))) {
        for (int i = 0; i < 20; i++) {
          assertThat(client.lock("quick-" + i).tryAcquire()).isPresent();
        }
      }
      expectNothingLeft(servers);
    }
  }

  private static void cycleOnFive(Driver driver, Consumer<QuorumServers> meanwhile) {
    try (QuorumServers servers = QuorumServers.start(5).vouched();
        LockClient client = Locks.open(servers.url(driver, "commandTimeout=2s"))) {
      List<CompletableFuture<Void>> threads = new ArrayList<>();
      ExecutorService executor = Executors.newFixedThreadPool(THREADS);
      for (int i = 0; i < THREADS; i++) {
        String prefix = "quick-" + i + "-";
        threads.add(CompletableFuture.runAsync(() -> cycle(client, prefix), executor));
      }
      executor.shutdown();
      meanwhile.accept(servers);
      assertThat(CompletableFuture.allOf(threads.toArray(new CompletableFuture<?>[0])))
          .succeedsWithin(60, TimeUnit.SECONDS);
      expectNothingLeft(servers);
    }
  }

  private static void expectNothingLeft(QuorumServers servers) {
    await("nothing is left, long before the leases would end")
        .atMost(Duration.ofSeconds(3))
        .untilAsserted(() -> assertThat(leftovers(servers)).isEmpty());
  }

  /** Each time another name: what is left of one is not cleared away by the next. */
  private static void cycle(LockClient client, String prefix) {
    for (int i = 0; i < CYCLES; i++) {
      try {
        client.lock(prefix + i).acquire(Duration.ofSeconds(10)).close();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static List<String> leftovers(QuorumServers servers) {
    List<String> left = new ArrayList<>();
    for (int node = 0; node < servers.size(); node++) {
      Object keys = Objects.requireNonNull(servers.server(node).command("KEYS", "quick-*"));
      for (Object key : (List<?>) keys) {
        left.add(key + " on " + node);
      }
    }
    return left;
  }
}
