package io.leasehold.it.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockOptions;
import io.leasehold.LockUnavailableException;
import io.leasehold.LossReason;
import io.leasehold.it.Driver;
import io.leasehold.it.EachDriver;
import io.leasehold.testkit.RedisReplicas;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * The two recommended settings of docs/redis.md, "Replicas", when a server is lost for good: {@code
 * min-replicas-to-write 1} with one replica, and one fewer than there are with two.
 */
@Execution(ExecutionMode.CONCURRENT)
class LossOfAServerTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final boolean FULL = Boolean.getBoolean("leasehold.full");
  private static final String NAME = "order:42";

  /** Not renewed: the holder hears nothing from the promoted server, and believes in its lease. */
  private static final String[] TERMS = {
    "maxLease=10s", "leaseTime=10s", "renewal=off", "connectTimeout=20s", "commandTimeout=5s"
  };

  @ParameterizedTest
  @EachDriver
  void withOneReplicaNothingIsGrantedUntilThePromotedServerHasAReplica(Driver driver)
      throws Exception {
    try (RedisSentinels set = sentinels(1);
        Guarded first = Guarded.vouched(driver.url(set, TERMS));
        Guarded second = Guarded.open(driver.url(set, TERMS))) {
      assertThat(first.findings()).as("the recommended setting").isEmpty();
      Lease held = leaseThatNoReplicaHas(set, first);
      RedisServer promoted = losePrimary(set);
      await().atMost(BOUND).until(() -> refusal(second, NAME).contains("TOO_FEW_REPLICAS"));
      assertThat(promoted.command("EXISTS", NAME)).isEqualTo(0L);
      try (RedisServer replacement = replicaOf(promoted)) {
        await().atMost(BOUND).until(() -> refusal(second, NAME).contains("GUARDED"));
        assertThat(replacement.isAlive()).isTrue();
        awaitNextLeaseAfter(held, second);
      }
    }
  }

  @ParameterizedTest
  @EachDriver
  void withOneReplicaAnOperatorMayWaiveTheSetting(Driver driver) throws Exception {
    try (RedisSentinels set = sentinels(1);
        Guarded first = Guarded.vouched(driver.url(set, TERMS));
        Guarded second = Guarded.open(driver.url(set, TERMS))) {
      Lease held = leaseThatNoReplicaHas(set, first);
      RedisServer promoted = losePrimary(set);
      await().atMost(BOUND).until(() -> refusal(second, NAME).contains("TOO_FEW_REPLICAS"));
      promoted.command("CONFIG", "SET", "min-replicas-to-write", "0");
      await().atMost(BOUND).until(() -> refusal(second, NAME).contains("GUARDED"));
      awaitNextLeaseAfter(held, second);
    }
  }

  @ParameterizedTest
  @EachDriver
  void withTwoReplicasThePromotedServerGrantsOnceTheQuarantineIsOver(Driver driver)
      throws Exception {
    try (RedisSentinels set = sentinels(2);
        Guarded first = Guarded.vouched(driver.url(set, TERMS));
        Guarded second = Guarded.open(driver.url(set, TERMS))) {
      assertThat(first.findings()).as("the recommended setting").isEmpty();
      LockOptions renewed = LockOptions.defaults().withRenewal();
      Lease kept = first.client().lock("kept", renewed).acquire(BOUND);
      Lease held = leaseThatNoReplicaHas(set, first);
      RedisServer promoted = losePrimary(set);
      await().atMost(BOUND).until(() -> refusal(second, NAME).contains("GUARDED"));
      assertThat(promoted.command("EXISTS", NAME)).isEqualTo(0L);
      // A lease that the promoted server has is extended during the quarantine.
      long before = millisLeft(promoted, "kept");
      await().atMost(BOUND).until(() -> millisLeft(promoted, "kept") > before);
      awaitNextLeaseAfter(held, second);
      assertThat(kept.isHeld()).isTrue();
    }
  }

  @ParameterizedTest
  @EachDriver
  void theLossOfTheOnlyReplicaStopsGrantsAndRenewals(Driver driver) throws Exception {
    try (RedisReplicas set = replicas(1, 1);
        Guarded client = Guarded.vouched(direct(driver, set.master()))) {
      RedisServer replica = set.replicas().get(0);
      AtomicReference<LossReason> lost = new AtomicReference<>();
      LockOptions brief = LockOptions.defaults().withLeaseTime(Duration.ofSeconds(2));
      client.client().lock(NAME, brief).acquire(BOUND).onLost(event -> lost.set(event.reason()));
      replica.kill();
      await().atMost(BOUND).until(() -> refusal(client, "b").contains("TOO_FEW_REPLICAS"));
      await().atMost(BOUND).until(() -> lost.get() != null);
      assertThat(lost.get()).isEqualTo(LossReason.RENEWAL_FAILED);
      replica.restart(RedisServer.Data.KEPT);
      // No quarantine follows: the primary has lost nothing.
      assertGrantsWithoutAQuarantine(client);
    }
  }

  @ParameterizedTest
  @EachDriver
  void theLossOfOneOfTwoReplicasStopsNothing(Driver driver) throws Exception {
    try (RedisReplicas set = replicas(2, 1);
        Guarded client = Guarded.vouched(direct(driver, set.master()))) {
      Lease lease = client.client().lock(NAME).acquire(BOUND);
      set.replicas().get(0).kill();
      await()
          .atMost(BOUND)
          .until(() -> "1".equals(set.master().info("replication").get("connected_slaves")));
      client.client().lock("b").acquire(BOUND).close();
      long before = millisLeft(set.master(), NAME);
      await().atMost(BOUND).until(() -> millisLeft(set.master(), NAME) > before); // it is renewed
      assertThat(lease.isHeld()).isTrue();
    }
  }

  /** Sentinels that reach only the promoted server; docs/redis.md says how to prevent it. */
  @ParameterizedTest
  @EachDriver
  @Tag("full")
  void aReplacedPrimaryThatKeepsTheOtherReplicaGoesOnWithOneFewer(Driver driver) throws Exception {
    try (RedisReplicas set = replicas(2, 1);
        Guarded first = Guarded.vouched(direct(driver, set.master()))) {
      RedisServer promoted = set.replicas().get(0);
      Lease held = first.client().lock(NAME).acquire(BOUND);
      set.promote(promoted);
      try (Guarded second = Guarded.open(direct(driver, promoted));
          RedisServer replacement = replicaOf(promoted)) {
        second.client().lock("new").acquireAsync(BOUND).get(60, TimeUnit.SECONDS).close();
        assertThat(replacement.isAlive()).isTrue();
        assertThat(held.isHeld()).as("renewed by the server that was replaced").isTrue();
        first.client().lock("b").acquire(BOUND).close();
      }
    }
  }

  @ParameterizedTest
  @EachDriver
  void aReplacedPrimaryThatKeepsTheOtherReplicaStopsWhereAllMustFollow(Driver driver) {
    try (RedisReplicas set = replicas(2, 2);
        Guarded first = Guarded.vouched(direct(driver, set.master()))) {
      set.promote(set.replicas().get(0));
      await().atMost(BOUND).until(() -> refusal(first, NAME).contains("TOO_FEW_REPLICAS"));
    }
  }

  private static RedisSentinels sentinels(int replicas) {
    return RedisSentinels.builder()
        .replicas(replicas)
        .nodes(node -> node.config("min-replicas-to-write 1", "min-replicas-max-lag 10"))
        .proxiedReplication()
        .start();
  }

  private static RedisReplicas replicas(int count, int toWrite) {
    return RedisReplicas.builder()
        .replicas(count)
        .nodes(node -> node.config("min-replicas-to-write " + toWrite, "min-replicas-max-lag 10"))
        .start();
  }

  /** With leases that are renewed every two seconds. */
  private static String direct(Driver driver, RedisServer server) {
    return driver.url(
        server,
        "guard=on",
        "maxLease=10s",
        "leaseTime=6s",
        "connectTimeout=20s",
        "commandTimeout=5s");
  }

  /** Within the lag that the primary allows, after its replicas have fallen silent. */
  private static Lease leaseThatNoReplicaHas(RedisSentinels set, Guarded client)
      throws InterruptedException {
    set.awaitInSync(BOUND);
    set.replicas().forEach(replica -> set.replicationProxy(replica).blackHole());
    return client.client().lock(NAME).acquire(BOUND);
  }

  private static RedisServer losePrimary(RedisSentinels set) {
    RedisServer primary = set.currentMaster();
    primary.kill();
    return set.awaitMasterOtherThan(primary, BOUND);
  }

  private static RedisServer replicaOf(RedisServer primary) {
    return RedisServer.builder()
        .config("replicaof " + primary.host() + " " + primary.port(), "repl-ping-replica-period 1")
        .start();
  }

  private static long millisLeft(RedisServer server, String name) {
    return Long.parseLong(String.valueOf(server.command("PTTL", name)));
  }

  /** Why a lock is not granted; empty when it is. */
  private static String refusal(Guarded client, String name) {
    try {
      client.client().lock(name).tryAcquire().ifPresent(Lease::close);
      return "";
    } catch (LockUnavailableException e) {
      return e.answers().toString();
    }
  }

  private static void assertGrantsWithoutAQuarantine(Guarded client) {
    await()
        .atMost(BOUND)
        .until(
            () -> {
              String refusal = refusal(client, "b");
              assertThat(refusal).doesNotContain("GUARDED");
              return refusal.isEmpty();
            });
  }

  /** With {@code -Pfull}, because it takes as long as the quarantine. */
  private static void awaitNextLeaseAfter(Lease held, Guarded second) throws Exception {
    if (!FULL) {
      return;
    }
    CompletableFuture<Lease> next = second.client().lock(NAME).acquireAsync(BOUND);
    while (held.isHeld()) {
      assertThat(next).isNotDone();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(next.get(BOUND.toSeconds(), TimeUnit.SECONDS).fencingToken())
        .isGreaterThan(held.fencingToken());
  }
}
