package io.leasehold.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SocketWireTest {
  private final AtomicInteger ended = new AtomicInteger();
  private ServerSocket listening;
  private Socket server;
  private BoundedSocket client;
  private SocketWire wire;

  @BeforeEach
  void connect() throws IOException {
    listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    client = new BoundedSocket();
    client.connect(listening.getLocalSocketAddress());
    server = listening.accept();
    wire = SocketWire.over(client.speaking(client), ended::incrementAndGet);
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
    listening.close();
  }

  private static long in(long millis) {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private void say(String text) throws IOException {
    server.getOutputStream().write(text.getBytes(UTF_8));
  }

  private static @Nullable Object shown(@Nullable Object reply) {
    if (reply instanceof List<?> list) {
      return list.stream().map(SocketWireTest::shown).toList();
    }
    return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : reply;
  }

  private @Nullable Object next() throws IOException {
    assertThat(wire.awaitReply(in(5_000))).isTrue();
    return shown(wire.read(in(5_000)));
  }

  @Test
  void everyKindOfReplyIsRead() throws IOException {
    say("+OK\r\n:12\r\n:-5\r\n$3\r\na\r\n\r\n$0\r\n\r\n*3\r\n:1\r\n$2\r\nhi\r\n*1\r\n+x\r\n*0\r\n");
    assertThat(next()).isEqualTo("OK");
    assertThat(wire.hasMore()).isTrue();
    assertThat(next()).isEqualTo(12L);
    assertThat(next()).isEqualTo(-5L);
    assertThat(next()).as("a line's end inside a text").isEqualTo("a\r\n");
    assertThat(next()).isEqualTo("");
    assertThat(next()).isEqualTo(Arrays.asList(1L, "hi", List.of("x")));
    assertThat(next()).isEqualTo(List.of());
    assertThat(wire.hasMore()).isFalse();
    assertThat(wire.isQuiet()).isTrue();
    say("$-1\r\n*-1\r\n-WRONGTYPE no\r\n");
    assertThat(next()).isNull();
    assertThat(next()).isNull();
    assertThat(next())
        .isInstanceOfSatisfying(
            RedisErrorReply.class, error -> assertThat(error.code()).isEqualTo("WRONGTYPE"));
  }

  @Test
  void aReplyMayComeInPieces() throws Exception {
    String text = "x".repeat(20_000);
    Thread saying =
        new Thread(
            () -> {
              try {
                for (byte one : ("*2\r\n$20000\r\n" + text + "\r\n:7\r\n").getBytes(UTF_8)) {
                  server.getOutputStream().write(one);
                }
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    saying.start();
    assertThat(next()).isEqualTo(List.of(text, 7L));
    saying.join();
  }

  @Test
  void whatIsHereIsReadWhateverTheTimeIs() throws IOException {
    say(":1\r\n:2\r\n");
    assertThat(next()).isEqualTo(1L);
    long past = System.nanoTime() - 1;
    assertThat(wire.awaitReply(past)).isTrue();
    assertThat(wire.read(past)).isEqualTo(2L);
    assertThat(wire.awaitReply(past)).isFalse();
  }

  @Test
  void nothingThatComesInTimeIsNothingThatIsLost() throws IOException {
    assertThat(wire.awaitReply(in(50))).isFalse();
    say(":3\r\n");
    assertThat(next()).isEqualTo(3L);
  }

  @Test
  void halfAReplyEndsWithTheTime() throws IOException {
    say("$10\r\nabc");
    assertThat(wire.awaitReply(in(5_000))).isTrue();
    assertThatThrownBy(() -> wire.read(in(50))).isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void anEndAndWhatIsNotRespAreFailures() throws IOException {
    say("?what\r\n");
    assertThatThrownBy(() -> wire.awaitReply(in(5_000))).isInstanceOf(IOException.class);
    server.close();
    assertThatThrownBy(() -> wire.awaitReply(in(5_000))).isInstanceOf(IOException.class);
  }

  @Test
  void whatNobodyAskedForIsNoticed() throws IOException {
    assertThat(wire.isQuiet()).isTrue();
    say("+stray\r\n");
    await().until(() -> !wire.isQuiet());
  }

  @Test
  void itIsClosedOnce() {
    wire.cut();
    wire.cut();
    assertThat(ended).hasValue(1);
  }
}
