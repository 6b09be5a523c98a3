package io.leasehold.it.layouts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.it.EachDriver;
import io.leasehold.testkit.RedisCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/**
 * The same on a cluster, where Redisson's clients speak to the shard of a lock (SPUBLISH) and
 * listen to nothing else.
 */
@SuppressWarnings("LockNotBeforeTry") // what is tested is when they are released
class BesideRedissonOnClusterTest {
  private static final Duration BOUND = Duration.ofSeconds(20);

  /** Without a wake-up we ask again after 15 s at the earliest, and they when 60 s are over. */
  private static final Duration SOON = Duration.ofSeconds(10);

  private static final RedisCluster CLUSTER =
      RedisCluster.builder().masters(3).replicasPerMaster(0).start();
  private static RedissonClient redisson;

  @BeforeAll
  static void start() {
    redisson = Redissons.on(CLUSTER);
    for (String name : names("warm-up")) {
      RLock warm = redisson.getLock(name);
      warm.lock();
      warm.unlock();
    }
  }

  @AfterAll
  static void stop() {
    redisson.shutdown();
    CLUSTER.close();
  }

  /** In different slots, one of them by a tag. */
  private static List<String> names(String stem) {
    return List.of(stem + "-1", stem + "-2", stem + "-3", stem + "{tag}");
  }

  @ParameterizedTest
  @EachDriver
  void eachWakesTheOther(Driver driver) throws Exception {
    try (LockClient client = Locks.open(driver.url(CLUSTER, "layout=redisson", "leaseTime=60s"))) {
      for (String name : names("woken-" + driver)) {
        Lease lease = client.lock(name).tryAcquire().orElseThrow();
        RLock theirs = redisson.getLock(name);
        assertThat(theirs.tryLock()).isFalse();
        CompletableFuture<Long> they = CompletableFuture.supplyAsync(() -> lock(name));
        awaitListener(name);
        long released = System.nanoTime();
        lease.release();
        assertThat(Duration.ofNanos(they.get(20, TimeUnit.SECONDS) - released))
            .as("they, " + name)
            .isLessThan(SOON);
        await().atMost(BOUND).until(() -> listeners(name) == 0);

        theirs.lock(60, TimeUnit.SECONDS);
        assertThat(client.lock(name).tryAcquire()).isEmpty();
        CompletableFuture<Lease> we = client.lock(name).acquireAsync(BOUND);
        awaitListener(name);
        released = System.nanoTime();
        theirs.unlock();
        we.get(20, TimeUnit.SECONDS).close();
        assertThat(Duration.ofNanos(System.nanoTime() - released))
            .as("we, " + name)
            .isLessThan(SOON);
        await().atMost(BOUND).until(() -> listeners(name) == 0);
      }
    }
  }

  private static long lock(String name) {
    try {
      RLock theirs = redisson.getLock(name);
      assertThat(theirs.tryLock(20, 60, TimeUnit.SECONDS)).isTrue();
      long got = System.nanoTime();
      theirs.unlock();
      return got;
    } catch (InterruptedException e) {
      throw new CompletionException(e);
    }
  }

  private static void awaitListener(String name) {
    await().atMost(BOUND).until(() -> listeners(name) == 1);
    // It asks once more when it listens, and until then it polls: that must not be what is seen.
    await().pollDelay(Duration.ofMillis(500)).until(() -> true);
  }

  /** How many listen to the shard of a lock, on the node that serves it. */
  private static long listeners(String name) {
    String channel = "redisson_lock__channel:" + (name.contains("{") ? name : "{" + name + "}");
    return CLUSTER.masterOf(name).command("PUBSUB", "SHARDNUMSUB", channel)
            instanceof List<?> counts
        ? Long.parseLong(String.valueOf(counts.get(1)))
        : -1;
  }
}
