package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.testkit.RedisServer.Data;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisServerLifeTest {

  private static final Duration SOON = Duration.ofMillis(200);

  private final RedisServer server = RedisServer.start();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void a_killed_server_is_gone_when_kill_returns() {
    server.kill();
    assertThat(server.isAlive()).isFalse();
    assertThatThrownBy(() -> server.command("PING")).isInstanceOf(UncheckedIOException.class);
    assertThatThrownBy(server::pid)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not alive");
    server.kill();
  }

  @Test
  void a_paused_server_accepts_connections_and_does_not_answer_until_it_is_resumed() {
    server.pause();
    assertThat(server.isAlive()).isTrue();
    try (RespConnection connection = server.connect(SOON)) {
      assertThatThrownBy(() -> connection.call("SET", "key", "late"))
          .isInstanceOf(UncheckedIOException.class)
          .hasCauseInstanceOf(SocketTimeoutException.class);
      server.resume();
      // What arrived in between is worked off.
      assertThat(server.command("GET", "key")).isEqualTo("late");
    }
  }

  @Test
  void a_paused_server_can_be_killed_and_stopped_and_restarted() {
    server.pause();
    server.kill();
    assertThat(server.isAlive()).isFalse();
    server.restart(Data.KEPT);
    server.pause();
    server.stop();
    assertThat(server.isAlive()).isFalse();
    server.restart(Data.KEPT);
    server.pause();
    server.restart(Data.LOST);
    assertThat(server.command("PING")).isEqualTo("PONG");
  }

  @Test
  void a_server_whose_owner_is_interrupted_is_still_closed() {
    Thread.currentThread().interrupt();
    server.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(server.isAlive()).isFalse();
  }

  @Test
  void every_acknowledged_write_survives_a_kill() {
    int port = server.port();
    int writes = 2_000;
    try (RespConnection connection = server.connect(Duration.ofSeconds(5))) {
      for (int i = 1; i <= writes; i++) {
        connection.call("SET", "last", String.valueOf(i));
      }
      server.kill();
    }
    server.restart(Data.KEPT);
    assertThat(server.port()).isEqualTo(port);
    assertThat(server.command("GET", "last")).isEqualTo(String.valueOf(writes));
  }

  @Test
  void the_expiry_of_a_key_survives_a_restart() {
    server.command("SET", "key", "value", "PX", "60000");
    server.restart(Data.KEPT);
    assertThat((Long) server.command("PTTL", "key")).isBetween(1L, 60_000L);
  }

  @Test
  void data_survive_an_orderly_stop() {
    server.command("SET", "key", "value");
    server.stop();
    assertThat(server.isAlive()).isFalse();
    assertThat(server.log()).contains("Redis is now ready to exit");
    server.restart(Data.KEPT);
    assertThat(server.command("GET", "key")).isEqualTo("value");
  }

  @Test
  void a_restart_that_loses_data_comes_up_empty_at_the_same_port_with_the_same_settings() {
    try (RedisServer other = RedisServer.builder().password("secret").args("--hz", "17").start()) {
      int port = other.port();
      other.command("SET", "key", "value");
      other.restart(Data.LOST);
      assertThat(other.port()).isEqualTo(port);
      assertThat(other.command("DBSIZE")).isEqualTo(0L);
      assertThat(other.command("CONFIG", "GET", "hz")).asString().contains("17");
    }
  }

  @Test
  void a_server_without_persistence_refuses_to_pretend_that_it_kept_data() {
    try (RedisServer forgetful = RedisServer.builder().args("--appendonly", "no").start()) {
      forgetful.command("SET", "key", "value");
      assertThatThrownBy(() -> forgetful.restart(Data.KEPT))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("appendonly no");
      assertThat(forgetful.isAlive()).isTrue();
      forgetful.restart(Data.LOST);
      assertThat(forgetful.command("GET", "key")).isNull();
    }
  }

  @Test
  void the_log_covers_all_lives_of_a_server() {
    server.restart(Data.LOST);
    assertThat(server.log().lines().filter(line -> line.contains("Ready to accept"))).hasSize(2);
  }
}
