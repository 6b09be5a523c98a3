package io.leasehold.it.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockOptions;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.it.EachDriver;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * What a contended lock costs, counted on the server: inside one client it is handed over with one
 * call, between clients nobody starves, and a release wakes one.
 */
@ParameterizedClass
@EachDriver
class HandOverTest {
  private static final Duration SPAN = Duration.ofSeconds(1);

  @Parameter Driver driver = Driver.LETTUCE;

  @Test
  void threadsOfOneClientHandTheLockOverWithOneCallEach() throws Exception {
    try (RedisServer server = RedisServer.start();
        LockClient client = Locks.open(driver.url(server))) {
      server.command("CONFIG", "RESETSTAT");
      int grants = contend(List.of(client), 16, LockOptions.defaults()).get(0);
      assertThat(grants).isGreaterThan(100);
      assertThat((double) server.calls("evalsha") / grants).as("calls a grant").isLessThan(1.3);
      assertThat(server.calls("publish")).as("wake-ups").isLessThan(grants / 10L + 1);
      assertThat(server.command("EXISTS", "contended")).isEqualTo(0L);
    }
  }

  @Test
  void clientsLetEachOtherInAndAReleaseWakesOne() throws Exception {
    try (RedisServer server = RedisServer.start();
        LockClient a = Locks.open(driver.url(server));
        LockClient b = Locks.open(driver.url(server));
        LockClient c = Locks.open(driver.url(server));
        LockClient d = Locks.open(driver.url(server))) {
      server.command("CONFIG", "RESETSTAT");
      List<Integer> shares = contend(List.of(a, b, c, d), 4, LockOptions.defaults());
      int grants = shares.stream().mapToInt(Integer::intValue).sum();
      assertThat(grants).isGreaterThan(100);
      assertThat((double) server.calls("evalsha") / grants).as("calls a grant").isLessThan(3.5);
      assertThat(server.calls("publish")).as("wake-ups").isLessThanOrEqualTo(grants);
      for (int share : shares) {
        assertThat(share).as("grants of %s", shares).isGreaterThan(grants * 5 / 100);
      }
    }
  }

  @Test
  void aFairLockServesClientsInTurn() throws Exception {
    try (RedisServer server = RedisServer.start();
        LockClient a = Locks.open(driver.url(server));
        LockClient b = Locks.open(driver.url(server));
        LockClient c = Locks.open(driver.url(server))) {
      List<Integer> shares = contend(List.of(a, b, c), 3, LockOptions.defaults().withFair());
      int grants = shares.stream().mapToInt(Integer::intValue).sum();
      assertThat(grants).isGreaterThan(30);
      for (int share : shares) { // a third each, but for those who were late at the start
        assertThat(share).as("grants of %s", shares).isGreaterThan(grants / 4);
      }
      assertThat(server.command("EXISTS", "contended")).isEqualTo(0L);
    }
  }

  /**
   * Lets each client take one lock again and again by several threads; exclusion is checked.
   *
   * @return how often each client had it
   */
  private static List<Integer> contend(List<LockClient> clients, int threads, LockOptions options)
      throws InterruptedException, ExecutionException {
    AtomicBoolean held = new AtomicBoolean();
    long end = System.nanoTime() + SPAN.toNanos();
    ExecutorService pool = Executors.newCachedThreadPool();
    try {
      List<List<Future<Integer>>> all = new ArrayList<>();
      for (LockClient client : clients) {
        List<Future<Integer>> ofClient = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          ofClient.add(pool.submit(() -> take(client.lock("contended", options), held, end)));
        }
        all.add(ofClient);
      }
      List<Integer> shares = new ArrayList<>();
      for (List<Future<Integer>> ofClient : all) {
        int grants = 0;
        for (Future<Integer> one : ofClient) {
          grants += one.get();
        }
        shares.add(grants);
      }
      return shares;
    } finally {
      pool.shutdownNow();
    }
  }

  private static int take(DistributedLock lock, AtomicBoolean held, long end)
      throws InterruptedException {
    int grants = 0;
    long last = 0;
    while (System.nanoTime() - end < 0) {
      try (Lease lease = lock.acquire(Duration.ofSeconds(20))) {
        assertThat(held.compareAndSet(false, true)).as("nobody else holds it").isTrue();
        assertThat(lease.fencingToken()).isGreaterThan(last);
        last = lease.fencingToken();
        held.set(false);
        grants++;
      }
    }
    return grants;
  }
}
