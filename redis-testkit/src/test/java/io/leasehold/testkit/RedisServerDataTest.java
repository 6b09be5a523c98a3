package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.testkit.RedisServer.Data;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisServerDataTest {

  @ParameterizedTest
  @CsvSource({"APPEND_ONLY, V7_0", "ON_SAVE, V7_0", "APPEND_ONLY, V6_2", "ON_SAVE, V6_2"})
  void a_server_restarts_from_a_stale_snapshot_as_often_as_wanted(
      Persistence persistence, RedisVersion version) {
    Path directory;
    try (RedisServer server =
        RedisServer.builder().persistence(persistence).version(version).start()) {
      directory = ((ProcessRedisServer) server).directory();
      int port = server.port();
      server.command("SET", "key", "old");
      Snapshot snapshot = server.snapshot();
      for (int i = 0; i < 2; i++) {
        server.command("SET", "key", "new");
        server.command("SET", "late", "1");
        server.restart(snapshot);
        assertThat(server.port()).isEqualTo(port);
        assertThat(server.command("GET", "key")).isEqualTo("old");
        assertThat(server.command("GET", "late")).isNull();
      }
    }
    assertThat(directory).doesNotExist();
  }

  @Test
  void a_snapshot_can_be_taken_of_a_paused_server_and_of_a_dead_one() {
    try (RedisServer server = RedisServer.start()) {
      server.command("SET", "key", "1");
      server.pause();
      Snapshot first = server.snapshot();
      // Still paused, or this would see the write.
      assertThat(((ProcessRedisServer) server).isStopped()).isTrue();
      server.resume();
      server.command("SET", "key", "2");
      server.kill();
      Snapshot second = server.snapshot();
      server.restart(first);
      assertThat(server.command("GET", "key")).isEqualTo("1");
      server.restart(second);
      assertThat(server.command("GET", "key")).isEqualTo("2");
    }
  }

  @Test
  void a_snapshot_of_another_server_is_refused() {
    try (RedisServer server = RedisServer.start();
        RedisServer other = RedisServer.start()) {
      Snapshot snapshot = other.snapshot();
      assertThatThrownBy(() -> server.restart(snapshot))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(server.isAlive()).isTrue();
    }
  }

  @Test
  void a_server_that_writes_on_save_keeps_what_it_saved_last() {
    try (RedisServer server = RedisServer.builder().persistence(Persistence.ON_SAVE).start()) {
      server.restart(Data.SAVED);
      assertThat(server.command("DBSIZE")).isEqualTo(0L);
      server.command("SET", "key", "saved");
      server.save();
      server.command("SET", "key", "late");
      server.restart(Data.SAVED);
      assertThat(server.command("GET", "key")).isEqualTo("saved");
      assertThatThrownBy(() -> server.restart(Data.KEPT)).isInstanceOf(IllegalStateException.class);
      server.restart(Data.LOST);
      assertThat(server.command("DBSIZE")).isEqualTo(0L);
    }
  }

  @Test
  void a_server_that_writes_everything_does_not_pretend_to_read_what_it_saved() {
    try (RedisServer server = RedisServer.start()) {
      server.save();
      assertThatThrownBy(() -> server.restart(Data.SAVED))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("appendonly yes");
    }
  }
}
