package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RespConnectionTest {

  private static final RedisServer SERVER = RedisServer.start();

  private final RespConnection connection = SERVER.connect(Duration.ofSeconds(5));

  @AfterEach
  void close() {
    connection.close();
  }

  @AfterAll
  static void closeServer() {
    SERVER.close();
  }

  @Test
  void replies_are_decoded_by_their_kind() {
    String text = "line one\r\nline two, ä€";
    assertThat(connection.call("SET", "key", text)).isEqualTo("OK");
    assertThat(connection.call("GET", "key")).isEqualTo(text);
    assertThat(connection.call("SET", "key", "")).isEqualTo("OK");
    assertThat(connection.call("GET", "key")).isEqualTo("");
    assertThat(connection.call("GET", "nothing")).isNull();
    assertThat(connection.call("DEL", "key", "nothing")).isEqualTo(1L);
    assertThat(connection.call("EVAL", "return {1, 'two', {3, false}, {}}", "0"))
        .isEqualTo(List.of(1L, "two", Arrays.asList(3L, null), List.of()));
  }

  @Test
  void an_error_reply_is_thrown_and_the_connection_stays_of_use() {
    assertThatThrownBy(() -> connection.call("NONSENSE"))
        .isInstanceOf(RedisErrorReply.class)
        .hasMessageStartingWith("ERR unknown command");
    assertThat(connection.call("PING")).isEqualTo("PONG");
  }

  @Test
  void an_error_inside_of_a_transaction_is_an_element_of_its_reply() {
    connection.call("MULTI");
    connection.call("SET", "text", "x");
    connection.call("INCR", "text");
    assertThat((List<?>) connection.call("EXEC"))
        .satisfiesExactly(
            first -> assertThat(first).isEqualTo("OK"),
            second -> assertThat(second).isInstanceOf(RedisErrorReply.class));
  }

  @Test
  void commands_can_be_sent_ahead_of_their_replies() {
    connection.send("ECHO", "one");
    connection.send("ECHO", "two");
    assertThat(connection.receive()).isEqualTo("one");
    assertThat(connection.receive()).isEqualTo("two");
  }

  @Test
  void the_end_of_the_connection_is_an_exception() {
    assertThat(connection.call("QUIT")).isEqualTo("OK");
    assertThatThrownBy(connection::receive)
        .isInstanceOf(UncheckedIOException.class)
        .hasCauseInstanceOf(EOFException.class);
  }
}
