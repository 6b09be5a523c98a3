package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.testkit.RedisCluster.Failover;
import io.leasehold.testkit.RedisServer.Data;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RedisClusterTest {

  private static final Duration BOUND = Duration.ofSeconds(60);

  @Test
  void a_killed_master_is_replaced_by_its_replica_and_comes_back_as_one() {
    List<RedisServer> all = new ArrayList<>();
    try (RedisCluster cluster = RedisCluster.start()) {
      all.addAll(cluster.nodes());
      assertThat(cluster.masters()).hasSize(3);
      assertThat(cluster.replicas()).hasSize(3);
      assertThat(cluster.slotOf("{order}:1")).isEqualTo(cluster.slotOf("{order}:2"));
      RedisServer first = cluster.masterOf("key");
      RedisServer second = cluster.replicaOf(first);
      assertThat(first.command("SET", "key", "value")).isEqualTo("OK");
      assertThat(first.command("WAIT", "1", "10000")).isEqualTo(1L);

      first.kill();

      assertThat(cluster.awaitMasterOtherThan(first, "key", BOUND)).isSameAs(second);
      assertThat(second.command("GET", "key")).isEqualTo("value");
      assertThat(cluster.masters()).hasSize(3).doesNotContain(first);

      first.restart(Data.KEPT);
      cluster.awaitReplica(first, BOUND);
      assertThat(cluster.replicaOf(second)).isSameAs(first);
    }
    assertThat(all).hasSize(6).allSatisfy(Leftovers::assertNone);
  }

  @Tag("full")
  @Test
  void a_replica_takes_over_when_it_is_told_to_in_each_of_three_ways() {
    try (RedisCluster cluster =
        RedisCluster.builder().nodes(node -> node.password("se cret\"")).start()) {
      // Each in another part of the cluster.
      int slot = 0;
      for (Failover how : Failover.values()) {
        RedisServer first = cluster.masterOf(slot);
        RedisServer second = cluster.replicaOf(first);
        cluster.failover(second, how);
        cluster.awaitMasterOf(slot, server -> server == second, BOUND);
        cluster.awaitReplica(first, BOUND);
        assertThat(cluster.replicaOf(second)).isSameAs(first);
        slot += RedisCluster.SLOTS / 3;
      }
    }
  }

  @Test
  void a_slot_moves_with_its_keys_and_half_way_both_masters_serve_it() {
    try (RedisCluster cluster =
        RedisCluster.builder()
            .replicasPerMaster(0)
            .nodes(node -> node.password("se cret\""))
            .start()) {
      int slot = cluster.slotOf("{tag}");
      RedisServer from = cluster.masterOf(slot);
      RedisServer to = cluster.masters().stream().filter(m -> m != from).findFirst().orElseThrow();
      from.command("MSET", "{tag}1", "a", "{tag}2", "b");

      SlotMove move = cluster.beginMove(slot, to);
      move.moveKeys(List.of("{tag}1"));

      assertThatThrownBy(() -> from.command("GET", "{tag}1"))
          .hasMessageStartingWith("ASK " + slot + " 127.0.0.1:" + to.port());
      assertThat(from.command("GET", "{tag}2")).isEqualTo("b");
      assertThatThrownBy(() -> from.command("MGET", "{tag}1", "{tag}2"))
          .hasMessageStartingWith("TRYAGAIN");
      assertThatThrownBy(() -> to.command("GET", "{tag}1")).hasMessageStartingWith("MOVED");
      try (RespConnection connection = to.connect(Duration.ofSeconds(5))) {
        connection.call("ASKING");
        assertThat(connection.call("GET", "{tag}1")).isEqualTo("a");
      }
      assertThat(cluster.masterOf(slot)).isSameAs(from);

      assertThatThrownBy(move::finish).isInstanceOf(IllegalStateException.class);
      move.moveKeys();
      move.finish();

      assertThat(cluster.masterOf("{tag}")).isSameAs(to);
      assertThat(to.command("MGET", "{tag}1", "{tag}2")).isEqualTo(List.of("a", "b"));
      assertThatThrownBy(() -> from.command("GET", "{tag}1"))
          .hasMessageStartingWith("MOVED " + slot + " 127.0.0.1:" + to.port());

      cluster.moveSlot(slot, from);
      assertThat(from.command("GET", "{tag}2")).isEqualTo("b");

      cluster.beginMove(slot, to).cancel();
      assertThat(from.command("GET", "{tag}absent")).isNull();
    }
  }
}
