package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultyProxyTest {

  private static final Duration BOUND = Duration.ofSeconds(5);
  private static final Duration SOON = Duration.ofMillis(400);
  private static final RedisServer SERVER = RedisServer.start();

  private final FaultyProxy proxy = FaultyProxy.to(SERVER);

  @BeforeEach
  void forget() {
    SERVER.command("FLUSHALL");
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  @AfterAll
  static void closeServer() {
    SERVER.close();
  }

  @Test
  void a_healthy_proxy_passes_everything_and_counts_it() {
    String value = "x".repeat(1_000_000);
    try (RespConnection connection = open(BOUND)) {
      assertThat(connection.call("PING")).isEqualTo("PONG");
      assertThat(proxy.traffic(Direction.TO_SERVER)).isEqualTo(new Traffic(1, 14, 0, 0));
      assertThat(proxy.traffic(Direction.TO_CLIENT)).isEqualTo(new Traffic(1, 7, 0, 0));
      connection.call("SET", "key", value);
      assertThat(connection.call("GET", "key")).isEqualTo(value);
      assertThat(proxy.traffic(Direction.TO_CLIENT).bytes()).isGreaterThan(value.length());
      assertThat(proxy.connections()).isEqualTo(1);
      assertThat(proxy.openConnections()).isEqualTo(1);
    }
    await().atMost(BOUND).until(() -> proxy.openConnections() == 0);
    assertThat(proxy.connections()).isEqualTo(1);
  }

  @Test
  void a_connection_that_the_server_ends_ends_for_the_client_after_the_last_reply() {
    try (RespConnection connection = open(BOUND)) {
      assertThat(connection.call("QUIT")).isEqualTo("OK");
      assertThatThrownBy(connection::receive).hasCauseInstanceOf(EOFException.class);
    }
  }

  @Test
  void a_client_that_closes_its_side_still_gets_the_replies_to_what_it_sent() throws Exception {
    proxy.delay(Duration.ofMillis(20));
    try (Socket socket = new Socket(proxy.host(), proxy.port())) {
      socket.setSoTimeout((int) BOUND.toMillis());
      socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().readNBytes(7)).asString().isEqualTo("+PONG\r\n");
      socket.shutdownOutput();
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void a_server_that_is_not_there_resets_the_client() {
    try (RedisServer mortal = RedisServer.start();
        FaultyProxy toMortal = FaultyProxy.to(mortal)) {
      mortal.kill();
      assertThatThrownBy(
              () -> {
                // The reset may come as early as during the establishment of the connection.
                try (RespConnection connection =
                    RespConnection.open(toMortal.host(), toMortal.port(), BOUND)) {
                  connection.call("PING");
                }
              })
          .isInstanceOf(UncheckedIOException.class)
          .cause()
          .isInstanceOf(SocketException.class);
      mortal.restart(RedisServer.Data.LOST);
      try (RespConnection connection =
          RespConnection.open(toMortal.host(), toMortal.port(), BOUND)) {
        assertThat(connection.call("PING")).isEqualTo("PONG");
      }
    }
  }

  @Test
  void dropped_requests_never_reach_the_server() {
    try (RespConnection connection = open(SOON)) {
      proxy.drop(Direction.TO_SERVER);
      times_out(() -> connection.call("SET", "key", "value"));
      assertThat(proxy.traffic(Direction.TO_SERVER).chunks()).isZero();
      assertThat(proxy.traffic(Direction.TO_SERVER).droppedChunks()).isEqualTo(1);
      proxy.heal(Direction.TO_SERVER);
      assertThat(connection.call("EXISTS", "key")).isEqualTo(0L);
    }
  }

  @Test
  void dropped_replies_hide_what_the_server_did_also_from_connections_to_come() {
    proxy.drop(Direction.TO_CLIENT);
    try (RespConnection connection = open(SOON)) {
      times_out(() -> connection.call("SET", "key", "value"));
      assertThat(SERVER.command("GET", "key")).isEqualTo("value");
      proxy.heal();
      assertThat(connection.call("GET", "key")).isEqualTo("value");
    }
  }

  @Test
  void only_the_next_reply_is_dropped_and_the_connection_kept() {
    try (RespConnection connection = open(SOON)) {
      proxy.dropNextReply(AfterDrop.KEEP);
      times_out(() -> connection.call("INCR", "key"));
      assertThat(connection.call("INCR", "key")).isEqualTo(2L);
      assertThat(proxy.traffic(Direction.TO_CLIENT).droppedBytes()).isEqualTo(":1\r\n".length());
    }
  }

  @Test
  void only_the_next_reply_is_dropped_and_its_connection_cut() {
    try (RespConnection unlucky = open(BOUND);
        RespConnection lucky = open(BOUND)) {
      assertThat(lucky.call("PING")).isEqualTo("PONG");
      proxy.dropNextReply(AfterDrop.CUT);
      is_reset(() -> unlucky.call("INCR", "key"));
      assertThat(lucky.call("GET", "key")).isEqualTo("1");
    }
  }

  @Test
  void a_reset_is_an_error_for_the_client_and_new_connections_are_welcome() {
    try (RespConnection connection = open(BOUND)) {
      connection.call("PING");
      proxy.cut(Cut.RST);
      assertThat(proxy.openConnections()).isZero();
      is_reset(() -> connection.call("PING"));
    }
    works();
  }

  @Test
  void an_orderly_cut_is_the_end_of_the_stream_for_the_client_and_gone_at_the_server() {
    try (RespConnection connection = open(BOUND)) {
      connection.call("CLIENT", "SETNAME", "to-be-cut");
      proxy.cut(Cut.FIN);
      assertThatThrownBy(connection::receive).hasCauseInstanceOf(EOFException.class);
      await()
          .atMost(BOUND)
          .untilAsserted(
              () ->
                  assertThat(SERVER.command("CLIENT", "LIST"))
                      .asString()
                      .doesNotContain("to-be-cut"));
    }
    works();
  }

  @Test
  void a_half_close_towards_the_client_ends_its_stream_while_requests_still_pass() {
    try (RespConnection connection = open(BOUND)) {
      connection.call("PING");
      proxy.halfClose(Direction.TO_CLIENT);
      assertThatThrownBy(connection::receive).hasCauseInstanceOf(EOFException.class);
      connection.send("SET", "key", "value");
      await().atMost(BOUND).until(() -> "value".equals(SERVER.command("GET", "key")));
    }
  }

  @Test
  void a_half_close_towards_the_server_ends_the_client_there() throws Exception {
    try (Socket socket = new Socket(proxy.host(), proxy.port())) {
      socket.setSoTimeout((int) BOUND.toMillis());
      InputStream in = socket.getInputStream();
      socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(in.readNBytes(7)).asString().isEqualTo("+PONG\r\n");
      proxy.halfClose(Direction.TO_SERVER);
      // Redis closes a connection whose other side has ended.
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  void a_black_hole_is_silent_for_old_and_new_connections_and_loses_nothing() {
    try (RespConnection old = open(SOON)) {
      old.call("PING");
      proxy.blackHole();
      times_out(() -> old.call("SET", "old", "value"));
      try (RespConnection young = open(SOON)) {
        times_out(() -> young.call("SET", "young", "value"));
        assertThat(SERVER.command("EXISTS", "old", "young")).isEqualTo(0L);
        assertThat(proxy.openConnections()).isEqualTo(2);
        proxy.heal();
        await()
            .atMost(BOUND)
            .until(() -> Long.valueOf(2).equals(SERVER.command("EXISTS", "old", "young")));
        assertThat(young.receive()).isEqualTo("OK");
        assertThat(old.receive()).isEqualTo("OK");
      }
    }
  }

  @Test
  void a_black_hole_in_one_direction_lets_requests_through() {
    try (RespConnection connection = open(SOON)) {
      proxy.blackHole(Direction.TO_CLIENT);
      times_out(() -> connection.call("SET", "key", "value"));
      assertThat(SERVER.command("GET", "key")).isEqualTo("value");
      proxy.heal(Direction.TO_CLIENT);
      assertThat(connection.receive()).isEqualTo("OK");
    }
  }

  @Test
  void connections_within_a_black_hole_can_be_cut() {
    try (RespConnection connection = open(BOUND)) {
      connection.call("PING");
      proxy.blackHole();
      proxy.cut(Cut.RST);
      is_reset(() -> connection.call("PING"));
    }
  }

  @Test
  void refused_are_new_connections_only_and_healing_opens_the_same_port() {
    int port = proxy.port();
    try (RespConnection connection = open(BOUND)) {
      connection.call("PING");
      proxy.refuse();
      assertThatThrownBy(() -> open(BOUND)).hasCauseInstanceOf(ConnectException.class);
      assertThat(connection.call("PING")).isEqualTo("PONG");
    }
    proxy.heal();
    assertThat(proxy.port()).isEqualTo(port);
    works();
  }

  @Test
  void a_listener_sees_what_passes_before_the_receiver_does() {
    List<Chunk> seen = new CopyOnWriteArrayList<>();
    proxy.onChunk(Direction.TO_SERVER, seen::add);
    proxy.onChunk(Direction.TO_CLIENT, seen::add);
    try (RespConnection connection = open(BOUND)) {
      connection.call("GET", "key");
      assertThat(seen)
          .containsExactly(
              new Chunk(Direction.TO_SERVER, 1, "*2\r\n$3\r\nGET\r\n$3\r\nkey\r\n"),
              new Chunk(Direction.TO_CLIENT, 1, "$-1\r\n"));
      proxy.onChunk(Direction.TO_CLIENT, ChunkListener.NONE);
      connection.call("GET", "key");
      assertThat(seen).hasSize(3);
    }
  }

  @Test
  void a_listener_can_cut_or_drop_what_it_sees() {
    proxy.onChunk(Direction.TO_CLIENT, chunk -> proxy.cut(Cut.RST));
    try (RespConnection connection = open(BOUND)) {
      is_reset(() -> connection.call("INCR", "key"));
    }
    proxy.onChunk(Direction.TO_CLIENT, chunk -> proxy.drop(Direction.TO_CLIENT));
    try (RespConnection connection = open(SOON)) {
      times_out(() -> connection.call("INCR", "key"));
    }
    assertThat(SERVER.command("GET", "key")).isEqualTo("2");
  }

  private RespConnection open(Duration replyWithin) {
    return RespConnection.open(proxy.host(), proxy.port(), replyWithin);
  }

  private void works() {
    try (RespConnection connection = open(BOUND)) {
      assertThat(connection.call("PING")).isEqualTo("PONG");
    }
  }

  private static void times_out(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(UncheckedIOException.class)
        .hasCauseInstanceOf(SocketTimeoutException.class);
  }

  private static void is_reset(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(UncheckedIOException.class)
        .cause()
        .isInstanceOf(SocketException.class)
        .isInstanceOf(IOException.class);
  }
}
