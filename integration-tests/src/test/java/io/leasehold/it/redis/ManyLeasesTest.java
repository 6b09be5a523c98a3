package io.leasehold.it.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockOptions;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.testkit.RedisServer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One client holds many leases, and renews all of them with few threads and few commands. */
@Isolated
class ManyLeasesTest {
  private static final int AT_ONCE = 500;

  @Test
  void thousandsOfLeasesAreRenewedInBatches() {
    hold(Driver.LETTUCE, 5_000, Duration.ofSeconds(6), Duration.ofSeconds(6));
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(Driver.class)
  void hundredThousandLeasesAreRenewedForTwoMinutesByLessThanOneProcessor(Driver driver) {
    hold(driver, 100_000, Duration.ofSeconds(30), Duration.ofMinutes(2));
  }

  private static void hold(Driver driver, int count, Duration leaseTime, Duration span) {
    try (RedisServer server = RedisServer.start();
        LockClient client = Locks.open(driver.url(server))) {
      int threadsBefore = Thread.activeCount();
      AtomicInteger lost = new AtomicInteger();
      List<Lease> leases = acquire(client, count, LockOptions.defaults().withLeaseTime(leaseTime));
      leases.forEach(lease -> lease.onLost(loss -> lost.incrementAndGet()));
      server.command("CONFIG", "RESETSTAT");
      long cpuBefore = processNanos();
      await()
          .during(span)
          .atMost(span.plusSeconds(60))
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> lost.get() == 0);
      double processors = (processNanos() - cpuBefore) / (double) span.toNanos();
      long renewals = span.toMillis() * 3 / leaseTime.toMillis();
      long calls = server.calls("evalsha");
      System.out.printf(
          Locale.ROOT,
          "%s: %d leases for %d s: %.3f processors, %d calls, %d more threads%n",
          driver,
          count,
          span.toSeconds(),
          processors,
          calls,
          Thread.activeCount() - threadsBefore);
      assertThat(leases).allMatch(Lease::isHeld);
      assertThat(processors).as("processors").isLessThan(1);
      assertThat(calls).as("batches").isBetween(1L, (renewals + 1) * count / 20);
      assertThat(Thread.activeCount() - threadsBefore).as("more threads").isLessThan(40);
    }
  }

  private static List<Lease> acquire(LockClient client, int count, LockOptions options) {
    List<Lease> leases = new ArrayList<>(count);
    while (leases.size() < count) {
      List<CompletableFuture<Lease>> some = new ArrayList<>();
      for (int i = 0; i < AT_ONCE && leases.size() + i < count; i++) {
        some.add(
            client
                .lock("lease:" + (leases.size() + i), options)
                .acquireAsync(Duration.ofSeconds(20)));
      }
      some.forEach(future -> leases.add(future.join()));
    }
    return leases;
  }

  private static long processNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
