package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.testkit.RedisServer.Data;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisVersionTest {

  private static final Duration BOUND = Duration.ofSeconds(90);

  @ParameterizedTest
  @CsvSource({"V7_0, 7.0.", "V6_2, 6.2."})
  void a_server_has_the_version_that_was_asked_for(RedisVersion version, String prefix) {
    try (RedisServer server =
        RedisServer.builder().version(version).user("app", "se cret").start()) {
      assertThat(server.info("server").get("redis_version")).startsWith(prefix);
      assertThat(server.command("AUTH", "app", "se cret")).isEqualTo("OK");
      server.command("SET", "key", "value");
      server.restart(Data.KEPT);
      assertThat(server.command("GET", "key")).isEqualTo("value");
    }
  }

  @Tag("full")
  @Test
  void older_sentinels_replace_a_master_too() {
    try (RedisSentinels sentinels =
        RedisSentinels.builder()
            .nodes(node -> node.version(RedisVersion.V6_2).password("data"))
            .sentinels(sentinel -> sentinel.password("watch"))
            .start()) {
      RedisServer first = sentinels.currentMaster();
      first.kill();
      RedisServer second = sentinels.awaitMasterOtherThan(first, BOUND);
      assertThat(second.info("server").get("redis_version")).startsWith("6.2.");
    }
  }

  @Tag("full")
  @Test
  void an_older_cluster_replaces_a_master_too() {
    try (RedisCluster cluster =
        RedisCluster.builder().nodes(node -> node.version(RedisVersion.V6_2)).start()) {
      RedisServer first = cluster.masterOf("key");
      first.kill();
      assertThat(cluster.awaitMasterOtherThan(first, "key", BOUND)).isNotSameAs(first);
    }
  }
}
