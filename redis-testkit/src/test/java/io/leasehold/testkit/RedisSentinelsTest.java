package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.testkit.RedisServer.Data;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RedisSentinelsTest {

  private static final Duration BOUND = Duration.ofSeconds(60);

  @Test
  void a_killed_master_is_replaced_and_comes_back_as_a_replica() {
    try (RedisSentinels sentinels = RedisSentinels.start()) {
      RedisServer first = sentinels.currentMaster();
      assertThat(first).isSameAs(sentinels.servers().get(0));
      assertThat(sentinels.sentinelAddresses()).hasSize(3);
      first.command("SET", "key", "value");
      sentinels.awaitInSync(BOUND);

      first.kill();

      RedisServer second = sentinels.awaitMasterOtherThan(first, BOUND);
      assertThat(second.command("GET", "key")).isEqualTo("value");
      assertThat(second.command("SET", "key", "newer")).isEqualTo("OK");

      first.restart(Data.KEPT);
      sentinels.awaitReplica(first, BOUND);
      assertThat(first.command("GET", "key")).isEqualTo("newer");
      assertThat(sentinels.replicas()).containsExactly(first);
    }
  }

  @Tag("full")
  @Test
  void an_ordered_failover_changes_the_roles() {
    try (RedisSentinels sentinels =
        RedisSentinels.builder()
            .replicas(2)
            .nodes(node -> node.password("da ta\""))
            .sentinels(sentinel -> sentinel.password("wat ch\""))
            .start()) {
      RedisServer first = sentinels.currentMaster();
      sentinels.failover();
      RedisServer second = sentinels.awaitMasterOtherThan(first, BOUND);
      sentinels.awaitReplica(first, BOUND);
      assertThat(second.info("replication")).containsEntry("role", "master");
      RedisServer sentinel = sentinels.sentinels().get(0);
      try (RespConnection stranger =
          RespConnection.open(sentinel.host(), sentinel.port(), Duration.ofSeconds(5))) {
        assertThatThrownBy(() -> stranger.call("SENTINEL", "MASTERS"))
            .isInstanceOf(RedisErrorReply.class)
            .hasMessageStartingWith("NOAUTH");
      }
    }
  }

  @Test
  void a_write_that_the_replica_never_got_is_lost_with_the_master() {
    try (RedisSentinels sentinels = RedisSentinels.builder().proxiedReplication().start()) {
      RedisServer first = sentinels.currentMaster();
      RedisServer replica = sentinels.replicas().get(0);
      first.command("SET", "early", "1");
      sentinels.awaitInSync(BOUND);

      sentinels.replicationProxy(replica).blackHole();
      first.command("SET", "late", "1");
      first.kill();

      assertThat(sentinels.awaitMasterOtherThan(first, BOUND)).isSameAs(replica);
      assertThat(replica.command("GET", "early")).isEqualTo("1");
      assertThat(replica.command("GET", "late")).isNull();
    }
  }

  @Tag("full")
  @Test
  void an_isolated_master_is_replaced_and_refuses_writes_once_its_replicas_are_gone_for_long() {
    try (RedisSentinels sentinels =
        RedisSentinels.builder()
            .behindProxies()
            .nodes(node -> node.config("min-replicas-to-write 1", "min-replicas-max-lag 2"))
            .start()) {
      RedisServer isolated = sentinels.currentMaster();
      assertThat(sentinels.knownAddress(isolated).getPort())
          .isEqualTo(sentinels.proxyOf(isolated).port());

      sentinels.proxyOf(isolated).blackHole();
      // Whoever still reaches it directly can go on for a while.
      assertThat(isolated.command("SET", "key", "theirs")).isEqualTo("OK");

      RedisServer successor = sentinels.awaitMasterOtherThan(isolated, BOUND);
      assertThat(successor.command("GET", "key")).isNull();
      assertThat(isolated.info("replication")).containsEntry("role", "master");
      await()
          .atMost(BOUND)
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> isolated.command("SET", "key", "late"))
                      .isInstanceOf(RedisErrorReply.class)
                      .hasMessageStartingWith("NOREPLICAS"));

      sentinels.proxyOf(isolated).heal();
      sentinels.awaitReplica(isolated, BOUND);
      assertThat(isolated.command("GET", "key")).isNull();
    }
  }

  @Test
  void both_kinds_of_proxies_exclude_each_other() {
    RedisSentinelsBuilder both = RedisSentinels.builder().behindProxies().proxiedReplication();
    assertThatThrownBy(both::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("exclude each other");
  }

  @Test
  void nothing_is_left_behind() {
    List<Long> pids = new ArrayList<>();
    List<RedisServer> all = new ArrayList<>();
    try (RedisSentinels sentinels = RedisSentinels.builder().behindProxies().start()) {
      all.addAll(sentinels.servers());
      all.addAll(sentinels.sentinels());
      all.forEach(server -> pids.add(server.pid()));
      all.get(0).pause();
      all.get(2).kill();
    }
    assertThat(pids).hasSize(5).noneMatch(Processes::exist);
    assertThat(all).allSatisfy(Leftovers::assertNone);
  }

  @Tag("full")
  @Test
  void the_sentinels_lead_a_replica_past_its_proxy_after_the_failover_timeout_and_not_before() {
    try (RedisSentinels quick =
            RedisSentinels.builder()
                .proxiedReplication()
                .failoverTimeout(Duration.ofSeconds(1))
                .start();
        RedisSentinels usual = RedisSentinels.builder().proxiedReplication().start()) {
      RedisServer replica = quick.replicas().get(0);
      String direct = String.valueOf(quick.currentMaster().port());
      await()
          .atMost(BOUND)
          .until(() -> direct.equals(replica.info("replication").get("master_port")));
      RedisServer other = usual.replicas().get(0);
      assertThat(other.info("replication"))
          .containsEntry("master_port", String.valueOf(usual.replicationProxy(other).port()));
    }
  }

  @Tag("full")
  @Test
  void masters_are_replaced_one_after_the_other() {
    try (RedisSentinels sentinels = RedisSentinels.builder().replicas(2).start()) {
      for (int i = 0; i < 3; i++) {
        RedisServer master = sentinels.currentMaster();
        master.kill();
        sentinels.awaitMasterOtherThan(master, BOUND);
        master.restart(Data.KEPT);
        sentinels.awaitReplica(master, BOUND);
      }
    }
  }
}
