package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.testkit.RedisServer.Data;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedisReplicasTest {

  private static final Duration BOUND = Duration.ofSeconds(30);

  @Test
  void replicas_are_in_sync_from_the_start_and_count_for_the_master() {
    try (RedisReplicas group =
        RedisReplicas.builder()
            .replicas(2)
            .nodes(node -> node.password("se cret").config("min-replicas-to-write 2"))
            .start()) {
      assertThat(group.master().command("SET", "key", "value")).isEqualTo("OK");
      group.awaitInSync(BOUND);
      assertThat(group.replicas())
          .hasSize(2)
          .allSatisfy(replica -> assertThat(replica.command("GET", "key")).isEqualTo("value"));
    }
  }

  @Test
  void a_write_is_lost_when_the_master_dies_before_a_replica_has_it() {
    try (RedisReplicas group = RedisReplicas.builder().proxiedReplication().start()) {
      RedisServer first = group.master();
      RedisServer second = group.replicas().get(0);
      first.command("SET", "early", "1");
      group.awaitInSync(BOUND);

      group.replicationProxy(second).blackHole();
      assertThat(first.command("SET", "late", "1")).isEqualTo("OK");
      first.kill();
      group.promote(second);

      assertThat(group.master()).isSameAs(second);
      assertThat(second.info("replication")).containsEntry("role", "master");
      assertThat(second.command("GET", "early")).isEqualTo("1");
      assertThat(second.command("GET", "late")).isNull();

      first.restart(Data.KEPT);
      assertThat(first.command("GET", "late")).isEqualTo("1");
      group.follow(first, second);
      group.awaitInSync(BOUND);
      assertThat(first.command("GET", "late")).isNull();
    }
  }

  @Test
  void a_replica_that_follows_another_master_keeps_its_wire() {
    try (RedisReplicas group = RedisReplicas.builder().replicas(2).proxiedReplication().start()) {
      RedisServer second = group.replicas().get(0);
      RedisServer third = group.replicas().get(1);
      FaultyProxy wire = group.replicationProxy(third);
      group.promote(second);
      group.follow(third, second);
      group.follow(group.servers().get(0), second);
      group.awaitInSync(BOUND);

      wire.blackHole();
      second.command("SET", "key", "value");
      assertThatThrownBy(() -> group.awaitInSync(Duration.ofMillis(300)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("not in sync");
      assertThat(third.command("GET", "key")).isNull();
      wire.heal();
      group.awaitInSync(BOUND);
      assertThat(third.command("GET", "key")).isEqualTo("value");
    }
  }

  @Test
  void a_restarted_replica_has_the_role_that_it_was_given() {
    try (RedisReplicas group = RedisReplicas.start()) {
      RedisServer second = group.replicas().get(0);
      second.restart(Data.LOST);
      group.awaitInSync(BOUND);
      group.promote(second);
      second.restart(Data.KEPT);
      assertThat(second.info("replication")).containsEntry("role", "master");
    }
  }

  @Test
  void replicas_can_have_a_user_of_their_own() {
    try (RedisReplicas group =
        RedisReplicas.builder()
            .nodes(
                node ->
                    node.password("secret")
                        .user("sync", "other")
                        .config("masteruser sync", "masterauth other"))
            .start()) {
      assertThat(String.valueOf(group.master().command("CLIENT", "LIST", "TYPE", "replica")))
          .contains("user=sync");
    }
  }

  @Test
  void a_wire_that_nobody_asked_for_is_refused() {
    try (RedisReplicas group = RedisReplicas.start()) {
      RedisServer replica = group.replicas().get(0);
      assertThatThrownBy(() -> group.replicationProxy(replica))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("proxiedReplication()");
    }
  }

  @Test
  void nothing_is_left_behind() {
    List<RedisServer> all = new ArrayList<>();
    try (RedisReplicas group = RedisReplicas.builder().proxiedReplication().start()) {
      all.addAll(group.servers());
      group.master().kill();
    }
    assertThat(all).hasSize(2).allSatisfy(Leftovers::assertNone);
  }
}
