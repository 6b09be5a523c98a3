package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisServerTest {

  @Test
  void a_started_server_answers_at_its_own_port() {
    try (RedisServer server = RedisServer.start()) {
      assertThat(server.isAlive()).isTrue();
      assertThat(server.command("PING")).isEqualTo("PONG");
      assertThat(server.info("server")).containsEntry("tcp_port", String.valueOf(server.port()));
      assertThat(server.uri()).hasToString("redis://127.0.0.1:" + server.port());
      assertThat(server.log()).contains("Ready to accept connections");
    }
  }

  @Test
  void several_servers_start_at_once() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(6);
    Callable<RedisServer> start = RedisServer::start;
    List<RedisServer> servers = new ArrayList<>();
    try {
      for (Future<RedisServer> started : threads.invokeAll(Collections.nCopies(6, start))) {
        servers.add(started.get());
      }
      for (RedisServer server : servers) {
        server.command("SET", "mine", String.valueOf(server.port()));
      }
      for (RedisServer server : servers) {
        assertThat(server.command("GET", "mine")).isEqualTo(String.valueOf(server.port()));
      }
    } finally {
      servers.forEach(RedisServer::close);
      threads.shutdownNow();
    }
  }

  @Test
  void a_server_with_a_password_lets_only_those_in_who_know_it() {
    String password = "s\"e c\\r:t/ü";
    try (RedisServer server = RedisServer.builder().password(password).start();
        RespConnection stranger =
            RespConnection.open(server.host(), server.port(), Duration.ofSeconds(5))) {
      assertThat(server.command("PING")).isEqualTo("PONG");
      assertThat(server.password()).contains(password);
      assertThat(server.uri().getUserInfo()).isEqualTo(":" + password);
      assertThatThrownBy(() -> stranger.call("PING"))
          .isInstanceOf(RedisErrorReply.class)
          .hasMessageStartingWith("NOAUTH");
    }
  }

  @Test
  void arguments_and_configuration_reach_the_server_and_arguments_win() {
    try (RedisServer server =
        RedisServer.builder()
            .config("maxmemory 30mb", "hz 17")
            .args("--maxmemory", "20mb")
            .start()) {
      assertThat(server.command("CONFIG", "GET", "maxmemory"))
          .isEqualTo(List.of("maxmemory", String.valueOf(20 << 20)));
      assertThat(server.command("CONFIG", "GET", "hz")).isEqualTo(List.of("hz", "17"));
    }
  }

  @Test
  void calls_are_counted_by_command() {
    try (RedisServer server = RedisServer.start()) {
      server.command("SET", "key", "value");
      server.command("SET", "key", "value");
      assertThat(server.calls("set")).isEqualTo(2);
      assertThat(server.calls("get")).isZero();
      assertThat(server.info("commandstats")).containsKey("cmdstat_set");
    }
  }

  @Test
  void replicas_sentinels_and_cluster_nodes_start_too() {
    try (RedisServer master = RedisServer.builder().password("secret").start();
        RedisServer replica =
            RedisServer.builder()
                .password("secret")
                .args("--replicaof", master.host(), String.valueOf(master.port()))
                .start();
        RedisServer sentinel =
            RedisServer.builder()
                .args("--sentinel")
                .config("sentinel monitor main " + master.host() + " " + master.port() + " 1")
                .start();
        RedisServer node = RedisServer.builder().args("--cluster-enabled", "yes").start()) {
      assertThat(replica.info("replication")).containsEntry("role", "slave");
      assertThat(sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "main"))
          .isEqualTo(List.of(master.host(), String.valueOf(master.port())));
      assertThat(node.info("cluster")).containsEntry("cluster_enabled", "1");
    }
  }

  @Test
  void a_taken_port_is_left_to_its_owner_and_another_one_is_tried() {
    AtomicInteger attempts = new AtomicInteger();
    try (RedisServer owner = RedisServer.start();
        RedisServer second =
            SignalledServer.start(
                port ->
                    new ProcessRedisServer(
                        RedisSettings.PLAIN,
                        attempts.getAndIncrement() == 0 ? owner.port() : port))) {
      assertThat(attempts).hasValue(2);
      assertThat(second.port()).isNotEqualTo(owner.port());
      assertThat(owner.command("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void a_server_that_ends_at_its_start_is_reported_with_its_log() {
    RedisServerBuilder wrong = RedisServer.builder().args("--no-such-setting", "yes");
    assertThatThrownBy(wrong::start)
        .isInstanceOf(RedisStartException.class)
        .hasMessageContaining("ended at its start")
        .hasMessageContaining("no-such-setting");
  }

  @Test
  void a_server_that_never_answers_is_reported_with_its_log_and_killed(@TempDir Path directory)
      throws Exception {
    Path mute = directory.resolve("mute-server");
    Path pidFile = directory.resolve("pid");
    Files.writeString(
        mute, "#!/bin/sh\necho $$ > " + pidFile + "\necho I am mute\nexec sleep 60\n");
    assertThat(mute.toFile().setExecutable(true)).isTrue();
    System.setProperty(RedisBinary.PROPERTY, mute.toString());
    try {
      RedisSettings impatient =
          RedisServer.builder().answersWithin(Duration.ofMillis(300)).settings();
      assertThatThrownBy(
              () -> SignalledServer.start(port -> new ProcessRedisServer(impatient, port)))
          .isInstanceOf(RedisStartException.class)
          .hasMessageContaining("did not answer within PT0.3S")
          .hasMessageContaining("I am mute");
    } finally {
      System.clearProperty(RedisBinary.PROPERTY);
    }
    assertThat(Processes.exist(Long.parseLong(Files.readString(pidFile).strip()))).isFalse();
  }
}
