package io.leasehold.it.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockUnavailableException;
import io.leasehold.it.Driver;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The failover race in a cluster, where each slot has a guard of its own. */
@Tag("full")
class ClusterFailoverRaceTest {
  private static final Duration BOUND = Duration.ofSeconds(60);

  private static final String[] TERMS = {
    "maxLease=10s", "leaseTime=10s", "renewal=off", "connectTimeout=20s", "commandTimeout=5s"
  };

  @ParameterizedTest
  @EnumSource(Driver.class)
  void withoutTheGuardTwoClientsHoldTheLock(Driver driver) throws Exception {
    String[] terms =
        Stream.concat(Arrays.stream(TERMS), Stream.of("guard=off")).toArray(String[]::new);
    try (RedisCluster cluster = RedisCluster.start();
        Guarded first = Guarded.open(driver.url(cluster, terms));
        Guarded second = Guarded.open(driver.url(cluster, terms))) {
      RedisServer master = cluster.masterOf("order:42");
      cutReplication(cluster, master);
      Lease held = first.client().lock("order:42").acquire(Duration.ofSeconds(5));
      master.kill();
      cluster.awaitMasterOtherThan(master, "order:42", BOUND);
      Lease stolen = second.client().lock("order:42").acquire(Duration.ofSeconds(20));
      assertThat(held.isHeld()).isTrue();
      assertThat(stolen.isHeld()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void withTheGuardNoSlotOfThePromotedNodeIsGrantedUntilTheLeasesHaveEnded(Driver driver)
      throws Exception {
    try (RedisCluster cluster = RedisCluster.start();
        Guarded first = Guarded.vouched(driver.url(cluster, TERMS));
        Guarded second = Guarded.open(driver.url(cluster, TERMS))) {
      RedisServer master = cluster.masterOf("order:42");
      String other =
          IntStream.range(0, 1_000)
              .mapToObj(i -> "other-" + i)
              .filter(name -> cluster.masterOf(name) == master)
              .filter(name -> cluster.slotOf(name) != cluster.slotOf("order:42"))
              .findFirst()
              .orElseThrow();
      cutReplication(cluster, master);
      Lease held = first.client().lock("order:42").acquire(Duration.ofSeconds(5));
      Lease heldToo = first.client().lock(other).acquire(Duration.ofSeconds(5));
      master.kill();
      cluster.awaitMasterOtherThan(master, "order:42", BOUND);
      List<CompletableFuture<Lease>> next =
          List.of(
              second.client().lock("order:42").acquireAsync(BOUND),
              second.client().lock(other).acquireAsync(BOUND));
      await().atMost(BOUND).until(() -> isGuarded(second, other));
      while (held.isHeld() || heldToo.isHeld()) {
        assertThat(next).noneMatch(CompletableFuture::isDone);
        TimeUnit.MILLISECONDS.sleep(20);
      }
      for (CompletableFuture<Lease> lease : next) {
        lease.get(BOUND.toSeconds(), TimeUnit.SECONDS);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void withOneReplicaThePromotedNodeGrantsNothingUntilItHasAReplica(Driver driver)
      throws Exception {
    try (RedisCluster cluster = recommended(1);
        Guarded first = Guarded.vouched(driver.url(cluster, TERMS));
        Guarded second = Guarded.open(driver.url(cluster, TERMS))) {
      first.client().lock("order:42").acquire(BOUND);
      RedisServer master = cluster.masterOf("order:42");
      master.kill();
      cluster.awaitMasterOtherThan(master, "order:42", BOUND);
      await().atMost(BOUND).until(() -> refusal(second).contains("TOO_FEW_REPLICAS"));
      master.restart(RedisServer.Data.KEPT); // it becomes the replica
      await().atMost(BOUND).until(() -> refusal(second).contains("GUARDED"));
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void withTwoReplicasThePromotedNodeGrantsOnceTheQuarantineIsOver(Driver driver) throws Exception {
    try (RedisCluster cluster = recommended(2);
        Guarded first = Guarded.vouched(driver.url(cluster, TERMS));
        Guarded second = Guarded.open(driver.url(cluster, TERMS))) {
      assertThat(first.findings()).as("the recommended setting").isEmpty();
      Lease held = first.client().lock("order:42").acquire(BOUND);
      RedisServer master = cluster.masterOf("order:42");
      master.kill();
      cluster.awaitMasterOtherThan(master, "order:42", BOUND);
      await().atMost(BOUND).until(() -> isGuarded(second, "order:42"));
      CompletableFuture<Lease> next = second.client().lock("order:42").acquireAsync(BOUND);
      while (held.isHeld()) {
        assertThat(next).isNotDone();
        TimeUnit.MILLISECONDS.sleep(20);
      }
      assertThat(next.get(BOUND.toSeconds(), TimeUnit.SECONDS).fencingToken())
          .isGreaterThan(held.fencingToken());
    }
  }

  /** docs/redis.md, "Replicas". */
  private static RedisCluster recommended(int replicas) {
    return RedisCluster.builder()
        .replicasPerMaster(replicas)
        .nodes(node -> node.config("min-replicas-to-write 1", "min-replicas-max-lag 10"))
        .start();
  }

  /** Why a lock of the slot of order:42 is not granted; empty when it is, or is held. */
  private static String refusal(Guarded client) {
    try {
      client.client().lock("another{order:42}").tryAcquire().ifPresent(Lease::close);
      return "";
    } catch (LockUnavailableException e) {
      return e.answers().toString();
    }
  }

  /** The replica is not let in again, and gets nothing of what is written from now on. */
  private static void cutReplication(RedisCluster cluster, RedisServer master) {
    RedisServer replica = cluster.replicaOf(master);
    master.command("ACL", "SETUSER", "default", "-psync", "-sync", "-replconf");
    master.command("CLIENT", "KILL", "TYPE", "replica");
    await()
        .atMost(BOUND)
        .until(() -> "down".equals(replica.info("replication").get("master_link_status")));
  }

  private static boolean isGuarded(Guarded client, String name) {
    try {
      client.client().lock(name + "{" + name + "}").tryAcquire().ifPresent(Lease::close);
      return false;
    } catch (LockUnavailableException e) {
      return e.answers().toString().contains("GUARDED");
    }
  }
}
