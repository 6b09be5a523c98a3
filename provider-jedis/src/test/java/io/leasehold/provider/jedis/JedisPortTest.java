package io.leasehold.provider.jedis;

import static io.leasehold.provider.jedis.Ports.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.spi.FailureKind;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is particular to a port that blocks, with a pool. */
@Tag("full")
class JedisPortTest {
  private static final Duration SHORT = Duration.ofMillis(400);
  private static final long LATE = TimeUnit.MILLISECONDS.toNanos(2_500);

  private final Ports ports = new Ports();

  @AfterEach
  void closePorts() {
    ports.close();
  }

  private static String url(String host, int port) {
    return "redis://" + host + ":" + port;
  }

  @Test
  void aServerThatAnswersByteByByteHoldsNoCallForLong() throws Exception {
    try (ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread server = new Thread(() -> trickle(door), "trickle");
      server.setDaemon(true);
      server.start();
      JedisPort port = ports.open(url("127.0.0.1", door.getLocalPort()), 4, SHORT);
      for (int i = 0; i < 3; i++) {
        long start = System.nanoTime();
        Object failed = ask(port, "k", "GET", "k");
        assertThat(failed).isInstanceOf(RedisConnectionFailure.class);
        assertThat(((RedisConnectionFailure) failed).kind()).isEqualTo(FailureKind.TIMEOUT);
        long first = i == 0 ? TimeUnit.SECONDS.toNanos(5) : 0; // may take the connect timeout
        assertThat(System.nanoTime() - start).isLessThan(first + LATE);
      }
      port.close();
    }
  }

  /** Answers the two commands with which Jedis greets, and then a bulk reply that never ends. */
  private static void trickle(ServerSocket door) {
    while (!door.isClosed()) {
      try {
        Socket socket = door.accept();
        Thread each =
            new Thread(
                () -> {
                  try (socket) {
                    byte[] greeting =
                        "+OK\r\n+OK\r\n$1000000\r\n".getBytes(StandardCharsets.US_ASCII);
                    socket.getOutputStream().write(greeting);
                    while (true) {
                      socket.getOutputStream().write('x');
                      TimeUnit.MILLISECONDS.sleep(50);
                    }
                  } catch (IOException | InterruptedException e) {
                    // cut
                  }
                });
        each.setDaemon(true);
        each.start();
      } catch (IOException e) {
        return;
      }
    }
  }

  @Test
  void callersWaitForTheOnlyConnectionOfThePool() {
    try (RedisServer server = RedisServer.start()) {
      JedisPort port = ports.open(url(server.host(), server.port()), 1, Duration.ofSeconds(5));
      List<CompletableFuture<Object>> all =
          IntStream.range(0, 20).mapToObj(i -> ports.asking(port, "k", "ECHO", "e" + i)).toList();
      for (int i = 0; i < all.size(); i++) {
        assertThat(all.get(i).join()).isEqualTo("e" + i);
      }
      port.close();
    }
  }

  @Test
  void manyIdleConnectionsThatDiedFailFewCalls() {
    try (RedisServer server = RedisServer.start()) {
      JedisPort port = ports.open(url(server.host(), server.port()), 32, Duration.ofSeconds(5));
      CompletableFuture.allOf(
              IntStream.range(0, 32)
                  .mapToObj(i -> ports.asking(port, "k", "EVAL", busy(), "1", "k"))
                  .toArray(CompletableFuture[]::new))
          .join();
      server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      int failed = 0;
      while (!ask(port, "k", "PING").equals("PONG")) {
        failed++;
        // The idle connections are closed by another thread.
        assertThat(ask(port, "k", "PING")).isNotNull();
      }
      assertThat(failed).isLessThan(5);
      port.close();
    }
  }

  /** Takes some milliseconds, so that the calls need a connection each. */
  private static String busy() {
    return "local n = 0 for i = 1, 100000 do n = n + i end return n";
  }

  @Test
  void aSilentSentinelHoldsNoCallForLong() {
    try (RedisServer server = RedisServer.start();
        FaultyProxy silent = FaultyProxy.to(server)) {
      silent.blackHole();
      JedisPort port =
          ports.open("redis-sentinel://127.0.0.1:" + silent.port() + "?masterName=m", 4, SHORT);
      long start = System.nanoTime();
      assertThat(ask(port, "k", "PING")).isInstanceOf(RedisConnectionFailure.class);
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(5) + LATE);
      port.close();
      assertThat(ask(port, "k", "PING").toString()).contains("closed");
    }
  }

  @Test
  void aBatchOnAServerThatDoesNotReadEndsInTime() {
    try (RedisServer server = RedisServer.start();
        FaultyProxy silent = FaultyProxy.to(server)) {
      JedisPort port = ports.open(url(silent.host(), silent.port()), 4, SHORT);
      assertThat(ask(port, "k", "PING")).isEqualTo("PONG");
      silent.blackHole();
      List<byte[]> keys = IntStream.range(0, 50).mapToObj(i -> Ports.bytes("k")).toList();
      RedisCommand big = RedisCommand.of("SET", "k", new byte[1_000_000]);
      long start = System.nanoTime();
      port.sendAll(keys, keys.stream().map(key -> big).toList())
          .forEach(
              stage ->
                  assertThat(Ports.reply(stage.toCompletableFuture()))
                      .isInstanceOf(RedisConnectionFailure.class));
      assertThat(System.nanoTime() - start).isLessThan(LATE);
      port.close();
    }
  }
}
