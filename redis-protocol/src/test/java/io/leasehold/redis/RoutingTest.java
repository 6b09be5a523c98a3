package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.Vouched;
import io.leasehold.spi.Vouching;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.SlotMove;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Which server is asked, on real sentinels and clusters, whichever the driver. */
@Execution(ExecutionMode.CONCURRENT)
class RoutingTest {

  private final TestContext context = new TestContext();
  private final AtomicInteger owners = new AtomicInteger();

  @AfterEach
  void close() {
    context.close();
  }

  @Test
  void inAClusterEachNameIsAskedWhereItIsServed() {
    try (RedisCluster cluster = RedisCluster.builder().masters(3).replicasPerMaster(0).start();
        LockNode node = open(clusterUrl(cluster, "guard=off"))) {
      List<ExtendRequest> held = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        String owner = owner();
        assertThat(grant(node, "name-" + i, owner)).isInstanceOf(Granted.class);
        assertThat(cluster.masterOf("name-" + i).command("GET", "name-" + i)).isEqualTo(owner);
        held.add(new ExtendRequest("name-" + i, owner, 60_000));
      }
      assertThat(
              cluster.masters().stream()
                  .filter(master -> !"0".equals(String.valueOf(master.command("DBSIZE")))))
          .hasSize(3);
      List<ExtendReply> extended = node.extend(held).toCompletableFuture().join();
      assertThat(extended).hasSize(60).allMatch(Extended.class::isInstance);
      assertThat(
              node.release(new ReleaseRequest("name-0", held.get(0).owner()))
                  .toCompletableFuture()
                  .join())
          .isInstanceOf(Released.class);
    }
  }

  @Test
  void redirectionsAreFollowedWhileASlotMovesAndAfterwards() {
    try (RedisCluster cluster = RedisCluster.builder().masters(2).replicasPerMaster(0).start();
        LockNode node = open(clusterUrl(cluster, "guard=off"))) {
      String owner = owner();
      assertThat(grant(node, "moving", owner)).isInstanceOf(Granted.class);
      int slot = cluster.slotOf("moving");
      RedisServer from = cluster.masterOf(slot);
      RedisServer to =
          cluster.masters().stream().filter(master -> master != from).findFirst().orElseThrow();
      SlotMove move = cluster.beginMove(slot, to);
      // All keys of the lock are there: served as before.
      assertThat(extend(node, "moving", owner)).isInstanceOf(Extended.class);
      move.moveKeys();
      // All are gone: the old server says ASK, and the new one TRYAGAIN for keys that exist
      // nowhere.
      assertThat(extend(node, "moving", owner)).isInstanceOf(Extended.class);
      assertThat(grant(node, "other{moving}"))
          .isInstanceOfSatisfying(
              Failed.class, failed -> assertThat(failed.kind()).isEqualTo(FailureKind.MOVED));
      move.finish();
      // The old server says MOVED.
      assertThat(extend(node, "moving", owner)).isInstanceOf(Extended.class);
      assertThat(to.command("EXISTS", "moving")).isEqualTo(1L);
      assertThat(node.release(new ReleaseRequest("moving", owner)).toCompletableFuture().join())
          .isInstanceOf(Released.class);
    }
  }

  @Test
  void whileASlotMovesWhoHasATimeStampIsNotTakenForAnother() {
    try (RedisCluster cluster = RedisCluster.builder().masters(2).replicasPerMaster(0).start();
        LockNode node = open(clusterUrl(cluster, "layout=setnx"))) {
      String owner = owner();
      assertThat(grant(node, "moving", owner)).isInstanceOf(Granted.class);
      int slot = cluster.slotOf("moving");
      RedisServer from = cluster.masterOf(slot);
      RedisServer to =
          cluster.masters().stream().filter(master -> master != from).findFirst().orElseThrow();
      SlotMove move = cluster.beginMove(slot, to);
      move.moveKeys();
      // In one call with another, which exists nowhere: the server says TRYAGAIN.
      List<ExtendReply> extended =
          node.extend(
                  List.of(
                      new ExtendRequest("moving", owner, 60_000),
                      new ExtendRequest("other{moving}", owner(), 60_000)))
              .toCompletableFuture()
              .join();
      assertThat(extended.get(0)).isInstanceOf(Extended.class);
      assertThat(extended.get(1)).isInstanceOf(Failed.class);
      move.finish();
      assertThat(node.release(new ReleaseRequest("moving", owner)).toCompletableFuture().join())
          .isInstanceOf(Released.class);
    }
  }

  @Test
  void whileASlotMovesALockCanBeReleased() {
    try (RedisCluster cluster = RedisCluster.builder().masters(2).replicasPerMaster(0).start();
        LockNode node = open(clusterUrl(cluster, "guard=off"))) {
      String owner = owner();
      assertThat(grant(node, "moving", owner)).isInstanceOf(Granted.class);
      int slot = cluster.slotOf("moving");
      RedisServer from = cluster.masterOf(slot);
      RedisServer to =
          cluster.masters().stream().filter(master -> master != from).findFirst().orElseThrow();
      SlotMove move = cluster.beginMove(slot, to);
      move.moveKeys();
      assertThat(node.release(new ReleaseRequest("moving", owner)).toCompletableFuture().join())
          .isInstanceOf(Released.class);
      move.finish();
      assertThat(to.command("EXISTS", "moving")).isEqualTo(0L);
    }
  }

  @Test
  void vouchingReachesEverySlotOfACluster() {
    try (RedisCluster cluster = RedisCluster.builder().masters(3).replicasPerMaster(0).start();
        LockNode node = open(clusterUrl(cluster, "guard=on"))) {
      assertThat(grant(node, "a")).isInstanceOf(Guarded.class);
      assertThat(node.offer(Vouching.class).orElseThrow().vouch().toCompletableFuture().join())
          .isInstanceOf(Vouched.class);
      for (int i = 0; i < 30; i++) {
        assertThat(grant(node, "name-" + i)).isInstanceOf(Granted.class);
      }
      assertThat(cluster.masters().stream().mapToLong(master -> guards(master)).sum())
          .isEqualTo(16_384);
    }
  }

  private static long guards(RedisServer server) {
    return server.command("KEYS", "leasehold:guard:*") instanceof List<?> keys ? keys.size() : 0;
  }

  /** With a command timeout that a busy machine keeps, unless the test is about it. */
  private LockNode open(String text) {
    String patient = text + (text.contains("?") ? "&" : "?") + "commandTimeout=10s";
    LockUrl url = LockUrl.parse(text.contains("commandTimeout") ? text : patient);
    return new NodeOpening("wire", url, RedisServers.of(url), context)
        .open(port -> new WirePort(RedisServers.of(url)));
  }

  private String owner() {
    return "owner-" + owners.incrementAndGet();
  }

  private GrantReply grant(LockNode node, String name) {
    return grant(node, name, owner());
  }

  private static GrantReply grant(LockNode node, String name, String owner) {
    return node.grant(
            new GrantRequest(name, owner, 30_000, 1, GrantRequest.NO_DEADLINE, Queueing.NONE))
        .toCompletableFuture()
        .join();
  }

  private static ExtendReply extend(LockNode node, String name, String owner) {
    return node.extend(List.of(new ExtendRequest(name, owner, 30_000)))
        .toCompletableFuture()
        .join()
        .get(0);
  }

  private static String clusterUrl(RedisCluster cluster, String options) {
    return cluster.nodes().stream()
        .map(node -> "127.0.0.1:" + node.port())
        .collect(Collectors.joining(",", "lock:redis-cluster://", "?" + options));
  }
}
