package io.leasehold.provider.jedis;

import static io.leasehold.provider.jedis.Ports.ask;
import static io.leasehold.provider.jedis.Ports.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.spi.FailureKind;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is particular to a port that blocks, with the pools of Jedis. */
@Tag("full")
@Timeout(60)
class JedisPortTest {
  private static final Duration SHORT = Duration.ofMillis(400);
  private static final Duration LONG = Duration.ofSeconds(20);

  private final Ports ports = new Ports();
  private final AtomicInteger trickles = new AtomicInteger();

  @AfterEach
  void closePorts() {
    ports.close();
  }

  private static String url(RedisServer server) {
    return "redis://" + server.host() + ":" + server.port();
  }

  @Test
  void aServerThatAnswersByteByByteHoldsNoCallAndNoConnection() throws Exception {
    try (ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      thread(() -> accept(door));
      DriverPort port = ports.open("redis://127.0.0.1:" + door.getLocalPort(), SHORT);
      for (int i = 0; i < 3; i++) {
        assertThat(ask(port, "k", "GET", "k"))
            .isInstanceOfSatisfying(
                RedisConnectionFailure.class,
                failure -> assertThat(failure.kind()).isEqualTo(FailureKind.TIMEOUT));
      }
      port.close();
      await().until(() -> trickles.get() == 0);
    }
  }

  private void accept(ServerSocket door) {
    try {
      while (true) {
        Socket socket = door.accept();
        thread(() -> trickle(socket));
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  /** Answers the two commands with which Jedis greets, and then a bulk reply that never ends. */
  private void trickle(Socket socket) {
    trickles.incrementAndGet();
    try (socket) {
      byte[] greeting = "+OK\r\n+OK\r\n$1000000\r\n".getBytes(StandardCharsets.US_ASCII);
      socket.getOutputStream().write(greeting);
      while (true) {
        socket.getOutputStream().write('x');
        TimeUnit.MILLISECONDS.sleep(50);
      }
    } catch (IOException | InterruptedException e) {
      trickles.decrementAndGet();
    }
  }

  private static void thread(Runnable task) {
    Thread thread = new Thread(task, "trickle");
    thread.setDaemon(true);
    thread.start();
  }

  @Test
  void callersWaitForTheOnlyConnectionOfThePoolAndSubscriptionsTakeNone() {
    try (RedisServer server = RedisServer.start()) {
      DriverPort port = ports.open(url(server) + "?jedis.poolSize=1", LONG);
      for (int i = 0; i < 3; i++) {
        Ports.Ear ear = new Ports.Ear();
        port.subscribe(bytes("k"), bytes("c"), ear).toCompletableFuture().join();
      }
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
      DriverPort port = ports.open(url(server), LONG);
      String busy = "local n = 0 for i = 1, 100000 do n = n + i end return n";
      CompletableFuture.allOf(
              IntStream.range(0, 32)
                  .mapToObj(i -> ports.asking(port, "k", "EVAL", busy, "1", "k"))
                  .toArray(CompletableFuture[]::new))
          .join();
      server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      int failed = 0;
      while (!ask(port, "k", "PING").equals("PONG")) {
        failed++;
      }
      assertThat(failed).as("the idle connections are closed by another thread").isLessThan(16);
      port.close();
    }
  }

  @Test
  void anInterruptedThreadSendsAndStaysInterrupted() {
    try (RedisServer server = RedisServer.start()) {
      DriverPort port = ports.open(url(server), LONG);
      for (int i = 0; i < 2; i++) { // with a new connection, and with an idle one
        Thread.currentThread().interrupt();
        assertThat(ask(port, "k", "PING")).isEqualTo("PONG");
        assertThat(Thread.interrupted()).isTrue();
      }
      port.close();
    }
  }

  @Test
  void aSilentSentinelHoldsNoCall() {
    try (RedisServer server = RedisServer.start();
        FaultyProxy silent = FaultyProxy.to(server)) {
      silent.blackHole();
      DriverPort port =
          ports.open("redis-sentinel://127.0.0.1:" + silent.port() + "?masterName=m", SHORT);
      assertThat(ask(port, "k", "PING")).isInstanceOf(RedisConnectionFailure.class);
      port.close();
      assertThat(ask(port, "k", "PING").toString()).contains("closed");
    }
  }

  @Test
  void aPortThatIsClosedWhileItFollowsSentinelsLeavesNoThread() {
    Set<Thread> others = Thread.getAllStackTraces().keySet();
    try (RedisSentinels set = RedisSentinels.start()) {
      String hosts =
          set.sentinels().stream()
              .map(sentinel -> sentinel.host() + ":" + sentinel.port())
              .collect(Collectors.joining(","));
      for (int i = 0; i < 10; i++) {
        DriverPort port =
            ports.open("redis-sentinel://" + hosts + "?masterName=" + set.masterName(), LONG);
        assertThat(ask(port, "k", "PING")).isEqualTo("PONG");
        port.close();
      }
      await()
          .until(
              () ->
                  Thread.getAllStackTraces().keySet().stream()
                      .filter(thread -> !others.contains(thread))
                      .noneMatch(thread -> thread.getName().contains("SentinelListener")));
    }
  }

  @Test
  void aBatchForAServerThatDoesNotReadEnds() {
    try (RedisServer server = RedisServer.start();
        FaultyProxy silent = FaultyProxy.to(server)) {
      DriverPort port = ports.open("redis://127.0.0.1:" + silent.port(), SHORT);
      await().until(() -> ask(port, "k", "PING").equals("PONG"));
      silent.blackHole();
      List<byte[]> keys = IntStream.range(0, 50).mapToObj(i -> bytes("k")).toList();
      RedisCommand big = RedisCommand.of("SET", "k", new byte[1_000_000]);
      port.sendAll(keys, keys.stream().map(key -> big).toList())
          .forEach(
              stage ->
                  assertThat(Ports.reply(stage.toCompletableFuture()))
                      .isInstanceOf(RedisConnectionFailure.class));
      port.close();
    }
  }
}
