package io.leasehold.it.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.testkit.Cut;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many threads at once over a driver that blocks: they share a connection, and its troubles. */
@Tag("full")
class SharedConnectionsTest {
  private static final int THREADS = 24;

  private final ExecutorService pool = Executors.newFixedThreadPool(THREADS);
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger cycles = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();

  @AfterEach
  void end() {
    pool.shutdownNow();
  }

  /** Each thread takes and gives back a lock of its own, again and again. */
  private List<Future<?>> load(LockClient client) {
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      DistributedLock lock = client.lock("own-" + i);
      all.add(pool.submit(() -> use(lock)));
    }
    return all;
  }

  private boolean use(DistributedLock lock) throws InterruptedException {
    long last = 0;
    while (!over.get()) {
      try (Lease lease = lock.acquire(Duration.ofSeconds(20))) {
        assertThat(lease.fencingToken()).as("nobody else's reply").isGreaterThan(last);
        last = lease.fencingToken();
        cycles.incrementAndGet();
      } catch (LockException e) {
        failures.incrementAndGet();
      }
    }
    return true;
  }

  private void finish(List<Future<?>> all) throws Exception {
    over.set(true);
    for (Future<?> each : all) {
      assertThat(each.get(40, TimeUnit.SECONDS)).isEqualTo(true);
    }
  }

  private void awaitProgress() {
    int before = cycles.get();
    await().atMost(Duration.ofSeconds(20)).until(() -> cycles.get() > before + 20 * THREADS);
  }

  private static void expectNothingLeft(RedisServer server) {
    for (int i = 0; i < THREADS; i++) {
      String name = "own-" + i;
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> Long.valueOf(0).equals(server.command("EXISTS", name)));
    }
  }

  @Test
  void theyNeedAFewConnectionsTogether() throws Exception {
    try (RedisServer server = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.to(server);
        LockClient client = Locks.open(Driver.JEDIS.at(proxy.port()))) {
      List<Future<?>> all = load(client);
      awaitProgress();
      awaitProgress();
      int open = proxy.openConnections();
      finish(all);
      assertThat(open).as("connections for %d threads", THREADS).isLessThan(THREADS / 2);
      assertThat(failures).hasValue(0);
      expectNothingLeft(server);
    }
  }

  @Test
  void connectionsThatAreCutStopNobody() throws Exception {
    try (RedisServer server = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.to(server);
        LockClient client = Locks.open(Driver.JEDIS.at(proxy.port()))) {
      List<Future<?>> all = load(client);
      for (int i = 0; i < 10; i++) {
        awaitProgress();
        proxy.cut(i % 2 == 0 ? Cut.RST : Cut.FIN);
      }
      awaitProgress();
      finish(all);
      expectNothingLeft(server);
    }
  }

  @Test
  void aServerThatStopsForLongerThanACommandMayTakeStopsNobodyForGood() throws Exception {
    try (RedisServer server = RedisServer.start();
        LockClient client = Locks.open(Driver.JEDIS.url(server, "commandTimeout=300ms"))) {
      List<Future<?>> all = load(client);
      for (int i = 0; i < 3; i++) {
        awaitProgress();
        server.pause();
        try {
          await().pollDelay(Duration.ofMillis(900)).until(() -> true);
        } finally {
          server.resume();
        }
      }
      awaitProgress();
      finish(all);
      expectNothingLeft(server);
    }
  }

  @Test
  void closingWhileTheyWaitEndsThemAll() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      LockClient client = Locks.open(Driver.JEDIS.url(server));
      List<Future<?>> all = load(client);
      awaitProgress();
      client.close();
      finish(all);
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> "1".equals(server.info("clients").get("connected_clients")));
      expectNothingLeft(server);
    }
  }
}
