package io.leasehold.it.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockUnavailableException;
import io.leasehold.it.Driver;
import io.leasehold.it.EachDriver;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * The race with which every article about locks on Redis ends: a client holds a lease, the master
 * dies before its replica has it, the replica is promoted. Reproduced, and closed.
 */
class SentinelFailoverRaceTest {
  private static final Duration BOUND = Duration.ofSeconds(60);

  /** Not renewed: the holder hears nothing from the new master, and believes in its lease. */
  private static final String[] TERMS = {"maxLease=10s", "leaseTime=10s", "renewal=off"};

  @ParameterizedTest
  @EachDriver
  void withoutTheGuardTwoClientsHoldTheLock(Driver driver) throws Exception {
    try (RedisSentinels set = RedisSentinels.builder().proxiedReplication().start();
        Guarded first = Guarded.open(url(driver, set, "guard=off"));
        Guarded second = Guarded.open(url(driver, set, "guard=off"))) {
      Lease held = leaseThatNoReplicaHas(set, first);
      RedisServer promoted = dieAndPromote(set);
      Lease stolen = second.client().lock("order:42").acquire(Duration.ofSeconds(20));
      assertThat(promoted.command("GET", "order:42")).isNotNull();
      assertThat(held.isHeld()).isTrue();
      assertThat(stolen.isHeld()).isTrue();
    }
  }

  @ParameterizedTest
  @EachDriver
  void withTheGuardNobodyGetsItUntilTheFirstLeaseHasEnded(Driver driver) throws Exception {
    try (RedisSentinels set = RedisSentinels.builder().proxiedReplication().start();
        Guarded first = Guarded.vouched(url(driver, set));
        Guarded second = Guarded.open(url(driver, set));
        Guarded third = Guarded.open(url(driver, set))) {
      loadScriptsOnReplicas(driver, set);
      Lease held = leaseThatNoReplicaHas(set, first);
      RedisServer promoted = dieAndPromote(set);
      // Two clients race to be the first on the promoted server.
      List<CompletableFuture<Lease>> racing =
          List.of(
              second.client().lock("order:42").acquireAsync(BOUND),
              third.client().lock("order:42").acquireAsync(BOUND));
      await().atMost(BOUND).until(() -> isGuarded(second));
      while (held.isHeld()) {
        assertThat(racing).noneMatch(CompletableFuture::isDone);
        assertThat(promoted.command("EXISTS", "order:42")).isEqualTo(0L);
        TimeUnit.MILLISECONDS.sleep(20);
      }
      Lease next = firstOf(racing);
      assertThat(held.isHeld()).isFalse();
      assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
      assertThat(second.findings()).contains("LH-202"); // nothing keeps an old master from granting
    }
  }

  private static boolean isGuarded(Guarded client) {
    try {
      client.client().lock("another").tryAcquire().ifPresent(Lease::close);
      return false;
    } catch (LockUnavailableException e) {
      return e.answers().toString().contains("GUARDED");
    }
  }

  private static Lease firstOf(List<CompletableFuture<Lease>> racing)
      throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture<Object> first =
        CompletableFuture.anyOf(racing.toArray(new CompletableFuture<?>[0]));
    return (Lease) first.get(BOUND.toSeconds(), TimeUnit.SECONDS);
  }

  /** A client that is refused, because it is a replica, leaves its scripts behind. */
  private static void loadScriptsOnReplicas(Driver driver, RedisSentinels set) {
    for (RedisServer replica : set.replicas()) {
      try (Guarded refused = Guarded.open(driver.url(replica, "connectTimeout=5s"))) {
        throw new AssertionError("a replica was accepted: " + refused.findings());
      } catch (LockUnavailableException e) {
        assertThat(e).hasMessageContaining("replica");
      }
      assertThat(replica.info("memory").get("number_of_cached_scripts")).isNotEqualTo("0");
    }
  }

  private static Lease leaseThatNoReplicaHas(RedisSentinels set, Guarded client)
      throws InterruptedException {
    set.awaitInSync(BOUND);
    set.replicas().forEach(replica -> set.replicationProxy(replica).blackHole());
    return client.client().lock("order:42").acquire(Duration.ofSeconds(5));
  }

  private static RedisServer dieAndPromote(RedisSentinels set) {
    RedisServer master = set.currentMaster();
    master.kill();
    return set.awaitMasterOtherThan(master, BOUND);
  }

  private static String url(Driver driver, RedisSentinels set, String... options) {
    String[] all = new String[options.length + TERMS.length];
    System.arraycopy(TERMS, 0, all, 0, TERMS.length);
    System.arraycopy(options, 0, all, TERMS.length, options.length);
    return driver.url(set, all);
  }
}
