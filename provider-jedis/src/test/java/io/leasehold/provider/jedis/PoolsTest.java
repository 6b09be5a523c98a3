package io.leasehold.provider.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisChannel;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.RedisListening;
import io.leasehold.redis.RedisServers;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockUrl;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;

/** How connections are had, kept and given back: our own, and those of the application. */
class PoolsTest {
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final RedisCommand PING = RedisCommand.of("PING");
  private static final RedisCommand SLOW = RedisCommand.of("BLPOP", "none", "0.5");
  private static RedisServer server;

  @BeforeAll
  static void startServer() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Test
  void whoFindsAllConnectionsBusyWaitsForItsTimeAndFailsAsOverloaded() {
    try (JedisDriver driver = own("redis://h", 1)) {
      RedisChannel channel = open(driver, endpoint());
      CompletableFuture<Object> slow = busy(channel);
      assertThat(failure(channel, Duration.ofMillis(100)).kind()).isEqualTo(FailureKind.OVERLOADED);
      assertThat(text(send(channel, PING).get(0))).isEqualTo("PONG"); // waits, and gets it
      slow.join();
    }
  }

  @Test
  void anInterruptedWaitFailsAndKeepsTheFlag() {
    try (JedisDriver driver = own("redis://h", 1)) {
      RedisChannel channel = open(driver, endpoint());
      CompletableFuture<Object> slow = busy(channel);
      Thread.currentThread().interrupt();
      RedisConnectionFailure failure = failure(channel, LONG);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(failure.kind()).isEqualTo(FailureKind.UNREACHABLE);
      assertThat(failure).hasMessageContaining("interrupted");
      slow.join();
    }
  }

  @Test
  void anInterruptedThreadThatNeedNotWaitSendsAndKeepsTheFlag() {
    try (JedisDriver driver = own("redis://h", 1)) {
      RedisChannel channel = open(driver, endpoint());
      Thread.currentThread().interrupt();
      List<Object> replies = send(channel, PING);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(text(replies.get(0))).isEqualTo("PONG");
    }
  }

  @Test
  void aCycleOfCommandsIsNothingButThese() {
    try (JedisDriver driver = own("redis://h", 8)) {
      RedisChannel channel = open(driver, endpoint());
      server.command("CONFIG", "RESETSTAT");
      for (int i = 0; i < 5; i++) {
        send(channel, RedisCommand.of("ECHO", "x"));
      }
      assertThat(server.calls("echo")).isEqualTo(5);
      assertThat(server.calls("ping")).isZero();
      assertThat(server.info("stats").get("total_connections_received"))
          .isIn("1", "2", "3"); // those of these questions
    }
  }

  /** As the reply to the next request it would be an answer to another question. */
  @Test
  void aConnectionOnWhichSomethingCameThatNobodyAskedForIsNotUsedAgain() {
    try (JedisDriver driver = own("redis://h", 1)) {
      RedisChannel channel = open(driver, endpoint());
      send(channel, RedisCommand.of("SUBSCRIBE", "news"));
      assertThat(server.command("PUBLISH", "news", "that nobody awaits")).isEqualTo(1L);
      server.command("PING"); // when this is answered, the news has been sent
      assertThat(text(send(channel, PING).get(0))).isEqualTo("PONG");
    }
  }

  @Test
  void aConnectionThatASendNeedsIsMadeWithinTheTimeOfTheSend() {
    try (RedisServer hung = RedisServer.start();
        JedisDriver driver = own("redis://h?clientName=me&connectTimeout=20s", 8)) {
      RedisChannel channel = open(driver, Endpoint.data(hung.host(), hung.port()));
      hung.pause();
      long start = System.nanoTime();
      assertThat(failure(channel, Duration.ofMillis(200)).kind()).isEqualTo(FailureKind.TIMEOUT);
      // That connection is gone, and the next one is not even greeted.
      assertThat(failure(channel, Duration.ofMillis(200)).kind())
          .isEqualTo(FailureKind.UNREACHABLE);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
      hung.resume();
      assertThat(text(send(channel, PING).get(0))).isEqualTo("PONG");
    }
  }

  @Test
  void aServerThatNoLongerLetsUsInAnswersEachCommandWithThat() {
    try (RedisServer locked = RedisServer.start();
        JedisDriver driver = own("redis://:old-w0rd@h", 8)) {
      locked.command("CONFIG", "SET", "requirepass", "old-w0rd");
      RedisChannel channel = open(driver, Endpoint.data(locked.host(), locked.port()));
      send(
          channel,
          RedisCommand.of("CONFIG", "SET", "requirepass", "new-w0rd"),
          RedisCommand.of("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no"));
      await()
          .atMost(LONG)
          .ignoreExceptions()
          .untilAsserted(
              () ->
                  assertThat(send(channel, PING, PING))
                      .hasSize(2)
                      .allSatisfy(
                          reply ->
                              assertThat(((RedisErrorReply) reply).code()).isEqualTo("WRONGPASS")));
    }
  }

  @Test
  void aGivenClientGetsItsConnectionsBackAsTheyWere() {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(2);
    try (RedisClient client =
        RedisClient.builder()
            .hostAndPort(server.host(), server.port())
            .clientConfig(DefaultJedisClientConfig.builder().socketTimeoutMillis(4321).build())
            .poolConfig(pool)
            .build()) {
      try (JedisDriver driver = driver(GivenPools.of(client))) {
        RedisChannel channel = open(driver, endpoint());
        AtomicInteger broken = new AtomicInteger();
        List<String> heard = new CopyOnWriteArrayList<>();
        RedisListening listening = listen(driver, heard::add, broken);
        assertThat(client.getPool().getNumActive()).isEqualTo(1);
        assertThat(plain(send(channel, RedisCommand.of("CONFIG", "GET", "maxmemory")).get(0)))
            .isEqualTo(List.of("maxmemory", "0"));
        server.command("PUBLISH", "news", "hello");
        listening.probe(LONG).toCompletableFuture().join();
        assertThat(heard).containsExactly("hello");
        CompletableFuture<Object> slow = busy(channel);
        assertThat(failure(channel, Duration.ofMillis(100)).kind())
            .isEqualTo(FailureKind.OVERLOADED);
        slow.join();
        try (redis.clients.jedis.Connection connection = client.getPool().getResource()) {
          assertThat(connection.getSoTimeout()).isEqualTo(4321);
        }
        listening.close();
        await().atMost(LONG).until(() -> client.getPool().getNumActive() == 0);
        assertThat(broken).hasValue(0);
      }
      assertThat(client.ping()).isEqualTo("PONG");
    }
  }

  @Test
  void aGivenClientThatTheApplicationClosedIsUnreachable() {
    RedisClient client = RedisClient.create(server.host(), server.port());
    try (JedisDriver driver = driver(GivenPools.of(client))) {
      RedisChannel channel = open(driver, endpoint());
      client.close();
      assertThat(failure(channel, LONG).kind()).isEqualTo(FailureKind.UNREACHABLE);
    }
  }

  @Test
  void aGivenSentinelClientFindsThePrimaryAlsoAfterAFailover() {
    try (RedisSentinels sentinels = RedisSentinels.start();
        RedisSentinelClient client =
            RedisSentinelClient.builder()
                .masterName(sentinels.masterName())
                .sentinels(
                    sentinels.sentinels().stream()
                        .map(s -> new HostAndPort(s.host(), s.port()))
                        .collect(Collectors.toSet()))
                .build();
        JedisDriver driver = driver(GivenPools.of(client))) {
      RedisChannel channel = open(driver, Endpoint.data("given", 0));
      assertThat(port(channel)).isEqualTo(sentinels.currentMaster().port());
      AtomicInteger broken = new AtomicInteger();
      listen(driver, message -> {}, broken);
      RedisServer old = sentinels.currentMaster();
      sentinels.failover();
      RedisServer next = sentinels.awaitMasterOtherThan(old, Duration.ofSeconds(30));
      await()
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(port(channel)).isEqualTo(next.port()));
      await().atMost(Duration.ofSeconds(30)).until(() -> broken.get() == 1);
    }
  }

  @Test
  void aGivenClusterClientServesEachNodeAndLearnsOfNewOnes() {
    try (RedisCluster cluster = RedisCluster.start()) {
      RedisServer first = cluster.masters().get(0);
      try (RedisClusterClient client =
              RedisClusterClient.create(Set.of(new HostAndPort(first.host(), first.port())));
          JedisDriver driver = driver(GivenPools.of(client))) {
        RedisServers servers = GivenPools.of(client).servers();
        assertThat(servers.topology()).isEqualTo(RedisServers.Topology.CLUSTER);
        assertThat(servers.endpoints()).hasSize(cluster.nodes().size());
        for (RedisServer node : cluster.nodes()) {
          RedisChannel channel = open(driver, Endpoint.data(node.host(), node.port()));
          assertThat(port(channel)).isEqualTo(node.port());
        }
        RedisChannel moved = open(driver, Endpoint.data(first.host(), first.port()));
        String elsewhere =
            Stream.of("a", "b", "c", "d", "e", "f", "g", "h")
                .filter(key -> cluster.masterOf(key).port() != first.port())
                .findFirst()
                .orElseThrow();
        assertThat(send(moved, RedisCommand.of("GET", elsewhere)).get(0))
            .isInstanceOfSatisfying(
                RedisErrorReply.class, e -> assertThat(e.code()).isEqualTo("MOVED"));
        assertThat(
                driver
                    .open(Endpoint.data("127.0.0.1", 1), () -> {})
                    .toCompletableFuture()
                    .handle((opened, error) -> String.valueOf(error))
                    .join())
            .contains("knows no node 127.0.0.1:1");
      }
    }
  }

  private static JedisDriver own(String url, int poolSize) {
    return OwnConnections.driver(ConnectionSettings.of(LockUrl.parse("lock:" + url)), poolSize);
  }

  private static JedisDriver driver(GivenPools pools) {
    return pools.driver(LockUrl.parse("lock:client://given?connectTimeout=10s"));
  }

  private static Endpoint endpoint() {
    return Endpoint.data(server.host(), server.port());
  }

  private static RedisChannel open(JedisDriver driver, Endpoint server) {
    return driver.open(server, () -> {}).toCompletableFuture().join();
  }

  private static RedisListening listen(
      JedisDriver driver, Consumer<String> heard, AtomicInteger broken) {
    RedisListening.Events events =
        new RedisListening.Events() {
          @Override
          public void message(byte[] payload) {
            heard.accept(text(payload));
          }

          @Override
          public void broken() {
            broken.incrementAndGet();
          }
        };
    return driver
        .listen(endpoint(), "news".getBytes(StandardCharsets.UTF_8), events)
        .toCompletableFuture()
        .join();
  }

  /** Keeps one connection busy, for half a second from now on. */
  private static CompletableFuture<Object> busy(RedisChannel channel) {
    CompletableFuture<Object> done =
        CompletableFuture.supplyAsync(() -> send(channel, SLOW).isEmpty());
    await().atMost(LONG).until(() -> "1".equals(server.info("clients").get("blocked_clients")));
    return done;
  }

  private static List<Object> send(RedisChannel channel, RedisCommand... commands) {
    return channel.send(List.of(commands), LONG).toCompletableFuture().join();
  }

  private static RedisConnectionFailure failure(RedisChannel channel, Duration within) {
    return (RedisConnectionFailure)
        channel
            .send(List.of(PING), within)
            .toCompletableFuture()
            .handle((replies, error) -> error)
            .join();
  }

  private static int port(RedisChannel channel) {
    return Integer.parseInt(
        ((List<?>) plain(send(channel, RedisCommand.of("CONFIG", "GET", "port")).get(0)))
            .get(1)
            .toString());
  }

  private static Object plain(Object reply) {
    return reply instanceof List<?> list
        ? list.stream().map(PoolsTest::plain).toList()
        : text(reply);
  }

  private static String text(Object reply) {
    return new String((byte[]) reply, StandardCharsets.UTF_8);
  }
}
