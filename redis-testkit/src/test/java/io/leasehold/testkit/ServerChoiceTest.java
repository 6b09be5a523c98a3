package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;

class ServerChoiceTest {

  private final String imageOfThisRun = System.getProperty(ServerChoice.IMAGE_PROPERTY, "");

  @AfterEach
  void restoreProperties() {
    System.setProperty(ServerChoice.IMAGE_PROPERTY, imageOfThisRun);
    System.clearProperty(RedisBinary.PROPERTY);
  }

  @Test
  void without_an_image_the_server_is_a_process() {
    System.clearProperty(ServerChoice.IMAGE_PROPERTY);
    try (RedisServer server = ServerChoice.start(RedisSettings.PLAIN)) {
      assertThat(server).isInstanceOf(ProcessRedisServer.class);
    }
  }

  @Test
  void an_image_without_a_docker_engine_is_an_error_and_never_another_server() {
    assertThatThrownBy(
            () -> ContainerRedisServer.start("redis:8", RedisSettings.PLAIN, () -> false))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("leasehold.redis.image")
        .hasMessageContaining("redis:8")
        .hasMessageContaining("no Docker engine answers");
  }

  @Test
  void an_image_that_is_asked_for_is_run_or_refused_depending_on_the_docker_engine_here() {
    System.setProperty(ServerChoice.IMAGE_PROPERTY, "redis:8");
    if (DockerClientFactory.instance().isDockerAvailable()) {
      try (RedisServer server = ServerChoice.start(RedisSettings.PLAIN)) {
        assertThat(server).isInstanceOf(ContainerRedisServer.class);
        assertThat(server.command("PING")).isEqualTo("PONG");
      }
    } else {
      assertThatThrownBy(() -> ServerChoice.start(RedisSettings.PLAIN))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no Docker engine answers");
    }
  }

  @Test
  void an_image_and_a_binary_at_once_are_a_contradiction() {
    System.setProperty(ServerChoice.IMAGE_PROPERTY, "redis:8");
    System.setProperty(RedisBinary.PROPERTY, "/usr/bin/redis-server");
    assertThatThrownBy(() -> ServerChoice.start(RedisSettings.PLAIN))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("unset one of them");
  }
}
