package io.leasehold.it.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.ReleaseResult;
import io.leasehold.it.Driver;
import io.leasehold.it.Permissions;
import io.leasehold.spi.Findings;
import io.leasehold.spi.LockNode;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.SlotMove;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the documented login needs beyond one server. */
@Tag("full")
class TopologyPermissionsTest {
  private static final Duration BOUND = Duration.ofSeconds(20);
  private static final String ADMIN = "adm1n";

  @ParameterizedTest
  @EnumSource(Driver.class)
  void aCluster(Driver driver) throws Exception {
    try (RedisCluster cluster =
        RedisCluster.builder().replicasPerMaster(0).nodes(node -> node.password(ADMIN)).start()) {
      allow(cluster, "");
      String nodes =
          cluster.nodes().stream()
              .map(node -> "127.0.0.1:" + node.port())
              .collect(Collectors.joining(","));
      String url = driver.url("redis-cluster", "app:pw@" + nodes, "guard=off");
      try (LockClient client = Locks.open(url)) {
        for (int i = 0; i < 20; i++) {
          client.lock("name-" + i).acquire(BOUND).close();
        }
        assertThat(denied(cluster)).isEmpty();

        String name = "moving";
        RedisServer from = cluster.masterOf(name);
        RedisServer to =
            cluster.masters().stream().filter(one -> one != from).findFirst().orElseThrow();
        Lease held = client.lock(name).acquire(BOUND);
        SlotMove move = cluster.beginMove(cluster.slotOf(name), to);
        move.moveKeys(List.of(name));
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED); // sent on
        assertThat(denied(cluster)).isEmpty();
        move.cancel();
      }
      allow(cluster, "cluster|slots");
      assertThatThrownBy(() -> Locks.open(url))
          .isInstanceOf(LockUnavailableException.class)
          .hasMessageContaining("NO_PERMISSION")
          .hasMessageContaining("'cluster");
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void aClusterWhoseSlotsMove(Driver driver) throws Exception {
    try (RedisCluster cluster =
        RedisCluster.builder().replicasPerMaster(0).nodes(node -> node.password(ADMIN)).start()) {
      allow(cluster, "asking");
      String first = "app:pw@127.0.0.1:" + cluster.nodes().get(0).port();
      try (LockClient client = Locks.open(driver.url("redis-cluster", first, "guard=off"))) {
        String name = "moving";
        RedisServer from = cluster.masterOf(name);
        RedisServer to =
            cluster.masters().stream().filter(one -> one != from).findFirst().orElseThrow();
        Lease held = client.lock(name).acquire(BOUND);
        cluster.beginMove(cluster.slotOf(name), to).moveKeys(List.of(name));
        assertThatThrownBy(held::release)
            .isInstanceOf(LockUnavailableException.class)
            .hasMessageContaining("NO_PERMISSION")
            .hasMessageContaining("'asking'");
        assertThat(denied(cluster)).isNotEmpty().allMatch("asking"::equals);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void theGuardOfAClusterAsksForItsReplicasAndGetsAlongWithoutAnAnswer(Driver driver) {
    try (RedisCluster cluster =
        RedisCluster.builder().replicasPerMaster(0).nodes(node -> node.password(ADMIN)).start()) {
      String url =
          driver.url(
              "redis-cluster", "app:pw@127.0.0.1:" + cluster.nodes().get(0).port(), "guard=on");
      allow(cluster, "");
      assertThat(findings(url)).doesNotContain("LH-203");
      assertThat(denied(cluster)).isEmpty();
      allow(cluster, "config|get");
      assertThat(findings(url)).contains("LH-203");
      assertThat(denied(cluster)).isNotEmpty().allMatch(denied -> denied.startsWith("config"));
    }
  }

  @Test
  void sentinels() throws Exception {
    try (RedisSentinels set =
        RedisSentinels.builder().nodes(node -> node.password(ADMIN)).start()) {
      String sentinels =
          set.sentinelAddresses().stream()
              .map(at -> at.getHostString() + ":" + at.getPort())
              .collect(Collectors.joining(","));
      RedisServer primary = set.currentMaster();
      for (Driver driver : Driver.values()) {
        primary.command(Permissions.grantAllBut("", "app", "pw"));
        String url =
            driver.url("redis-sentinel", "app:pw@" + sentinels, "masterName=" + set.masterName());
        try (LockClient client = Locks.open(url + "&guard=off")) {
          client.lock("a").acquire(BOUND).close();
        }
        assertThat(findings(url)).doesNotContain("LH-203");
        assertThat(denied(primary)).isEmpty();
        primary.command(Permissions.grantAllBut("config|get", "app", "pw"));
        assertThat(findings(url)).contains("LH-203");
        primary.command("ACL", "LOG", "RESET");
      }
    }
  }

  private static List<String> findings(String url) {
    AtomicReference<LockNode> node = new AtomicReference<>();
    try (LockClient client =
        Locks.builder()
            .url(url)
            .decorate(
                opened -> {
                  node.set(opened);
                  return opened;
                })
            .open()) {
      assertThat(client).isNotNull();
      return Objects.requireNonNull(node.get())
          .offer(Findings.class)
          .orElseThrow()
          .findings()
          .stream()
          .map(Findings.Finding::id)
          .toList();
    }
  }

  private static void allow(RedisCluster cluster, String allBut) {
    cluster.nodes().forEach(node -> node.command(Permissions.grantAllBut(allBut, "app", "pw")));
  }

  private static List<String> denied(RedisCluster cluster) {
    return cluster.nodes().stream().flatMap(node -> denied(node).stream()).toList();
  }

  private static List<String> denied(RedisServer server) {
    Object log = Objects.requireNonNull(server.command("ACL", "LOG"));
    return ((List<?>) log).stream().map(entry -> String.valueOf(((List<?>) entry).get(7))).toList();
  }
}
