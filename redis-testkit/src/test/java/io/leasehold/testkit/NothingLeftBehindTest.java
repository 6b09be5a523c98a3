package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NothingLeftBehindTest {

  @Test
  void a_closed_server_leaves_no_process_no_directory_and_no_log() {
    ProcessRedisServer server = startProcess(RedisSettings.PLAIN);
    long pid = server.pid();
    List<Long> watchers =
        ProcessHandle.of(pid).orElseThrow().children().map(ProcessHandle::pid).toList();
    assertThat(watchers).hasSize(1);
    assertThat(server.directory()).isDirectory();

    server.close();

    assertThat(Processes.exist(pid)).isFalse();
    await()
        .atMost(Duration.ofSeconds(5))
        .until(() -> watchers.stream().noneMatch(Processes::exist));
    assertThat(server.directory()).doesNotExist();
    assertThat(server.log()).isEmpty();
    server.close();
  }

  @Test
  void a_server_that_was_killed_before_it_is_closed_leaves_nothing_either() {
    ProcessRedisServer server = startProcess(RedisSettings.PLAIN);
    server.kill();
    server.close();
    assertThat(server.directory()).doesNotExist();
  }

  @Test
  void a_failed_start_leaves_no_directory() {
    RedisSettings wrong = RedisServer.builder().args("--no-such-setting", "1").settings();
    List<Path> made = new ArrayList<>();
    assertThatThrownBy(
            () ->
                SignalledServer.start(
                    port -> {
                      ProcessRedisServer server = new ProcessRedisServer(wrong, port);
                      made.add(server.directory());
                      return server;
                    }))
        .isInstanceOf(RedisStartException.class);
    assertThat(made).hasSize(1).allSatisfy(directory -> assertThat(directory).doesNotExist());
  }

  @Test
  void a_closed_proxy_leaves_no_thread_and_no_port_whatever_its_faults_were() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      FaultyProxy proxy = FaultyProxy.to(server);
      try (RespConnection healthy = open(proxy);
          RespConnection delayed = open(proxy);
          RespConnection silent = open(proxy)) {
        healthy.call("PING");
        proxy.delay(Duration.ofMinutes(1));
        delayed.send("PING");
        await().atMost(Duration.ofSeconds(5)).until(() -> proxy.openConnections() == 3);
        proxy.blackHole();
        silent.send("PING");
        try (RespConnection late = open(proxy)) {
          late.send("PING");
          await().atMost(Duration.ofSeconds(5)).until(() -> proxy.connections() == 4);
          assertThat(proxyThreads()).isNotEmpty();
          proxy.close();
        }
      }
      assertThat(proxyThreads()).isEmpty();
      assertThat(proxy.openConnections()).isZero();
      try (ServerSocket socket = FreePorts.listen(proxy.port())) {
        assertThat(socket.isBound()).isTrue();
      }
      proxy.close();
      proxy.heal();
      assertThat(proxyThreads()).isEmpty();
    }
  }

  private static ProcessRedisServer startProcess(RedisSettings settings) {
    return (ProcessRedisServer)
        SignalledServer.start(port -> new ProcessRedisServer(settings, port));
  }

  private static RespConnection open(FaultyProxy proxy) {
    return RespConnection.open(proxy.host(), proxy.port(), Duration.ofSeconds(5));
  }

  private static List<String> proxyThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith("faulty-proxy-"))
        .toList();
  }
}
