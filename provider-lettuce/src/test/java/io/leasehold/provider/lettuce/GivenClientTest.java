package io.leasehold.provider.lettuce;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.Outbox;
import io.leasehold.redis.RedisChannel;
import io.leasehold.redis.RedisChannelContract;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisDriver;
import io.leasehold.spi.FailureKind;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * The contract of a channel with a client that the application handed in, with Lettuce's default
 * options: it reconnects, keeps commands for later and speaks RESP3.
 */
class GivenClientTest extends RedisChannelContract {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final RedisClient CLIENT = RedisClient.create();

  @AfterAll
  static void closeClient() {
    CLIENT.close();
  }

  @Override
  protected RedisDriver driver(ConnectionSettings settings) {
    // As given, but the tests of the contract use more than one server.
    Connector anyServer =
        new Connector(
            CLIENT,
            server -> Connector.uri(settings, server),
            connection -> Outbox.ofCallers(),
            () -> {});
    return new LettuceDriver(anyServer, settings.connectTimeout(), 10_000);
  }

  @Test
  void theDriverClosesItsConnectionsAndNotTheClient() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisClient client = RedisClient.create()) {
      RedisURI uri = RedisURI.Builder.redis(server.host(), server.port()).build();
      uri.setClientName("locks");
      LettuceDriver driver = new LettuceDriver(Connector.given(client, uri), TIMEOUT, 100);
      ping(open(driver, Endpoint.data("any", 1), () -> {}));
      assertThat(clients(server)).isEqualTo(1);
      driver.close();
      await().until(() -> clients(server) == 0);
      try (var connection = client.connect(uri)) {
        assertThat(connection.sync().ping()).isEqualTo("PONG");
      }
    }
  }

  @Test
  void aPrimaryIsFoundThroughSentinelsForEachConnection() throws Exception {
    try (RedisSentinels sentinels = RedisSentinels.builder().replicas(1).start();
        RedisClient client = RedisClient.create()) {
      RedisURI.Builder uri = RedisURI.builder().withSentinelMasterId(sentinels.masterName());
      sentinels
          .sentinelAddresses()
          .forEach(at -> uri.withSentinel(at.getHostString(), at.getPort()));
      LettuceDriver driver = new LettuceDriver(Connector.given(client, uri.build()), TIMEOUT, 100);
      AtomicInteger broken = new AtomicInteger();
      RedisServer before = sentinels.currentMaster();
      RedisChannel channel = open(driver, Endpoint.data("any", 1), broken::incrementAndGet);
      assertThat(port(channel)).isEqualTo(before.port());
      before.kill();
      await().until(() -> broken.get() == 1);
      sentinels.awaitMasterOtherThan(before, Duration.ofSeconds(30));
      RedisChannel next = open(driver, Endpoint.data("any", 1), broken::incrementAndGet);
      assertThat(port(next)).isEqualTo(sentinels.currentMaster().port());
      driver.close();
    }
  }

  @Test
  void everyNodeOfAClusterIsReachedAlsoAfterItsRestart() throws Exception {
    try (RedisCluster cluster = RedisCluster.builder().masters(3).replicasPerMaster(0).start()) {
      RedisServer first = cluster.masters().get(0);
      try (RedisClusterClient client =
          RedisClusterClient.create(RedisURI.create(first.host(), first.port()))) {
        RedisURI node = client.getPartitions().getPartition(0).getUri();
        LettuceDriver driver = new LettuceDriver(Connector.besides(client, node), TIMEOUT, 100);
        AtomicInteger broken = new AtomicInteger();
        List<RedisChannel> channels = new ArrayList<>();
        for (RedisServer server : cluster.masters()) {
          RedisChannel channel = open(driver, at(server), broken::incrementAndGet);
          assertThat(port(channel)).isEqualTo(server.port());
          channels.add(channel);
        }
        first.restart(RedisServer.Data.KEPT);
        await().until(() -> broken.get() == 1);
        assertThat(port(open(driver, at(first), () -> {}))).isEqualTo(first.port());
        ping(channels.get(1));
        driver.close();
        try (var connection = client.connect()) {
          assertThat(connection.sync().ping()).isEqualTo("PONG");
        }
      }
    }
  }

  @Test
  void moreRequestsThanTheQueueTakesAreRefusedTogether() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      RedisURI uri = RedisURI.Builder.redis(server.host(), server.port()).build();
      LettuceDriver driver = new LettuceDriver(Connector.given(CLIENT, uri), TIMEOUT, 10);
      RedisChannel channel = open(driver, at(server), () -> {});
      server.pause();
      List<RedisCommand> commands = Collections.nCopies(6, RedisCommand.of("INCR", "x"));
      var accepted = channel.send(commands, TIMEOUT).toCompletableFuture();
      var refused = channel.send(commands, TIMEOUT).toCompletableFuture();
      assertThat(refused).isCompletedExceptionally();
      assertThat(refused.handle((replies, error) -> error).get())
          .isInstanceOfSatisfying(
              RedisConnectionFailure.class,
              error -> assertThat(error.kind()).isEqualTo(FailureKind.OVERLOADED));
      server.resume();
      assertThat(accepted.get(10, TimeUnit.SECONDS)).hasSize(6);
      assertThat(channel.send(commands, TIMEOUT).toCompletableFuture().get(10, TimeUnit.SECONDS))
          .endsWith(12L);
      driver.close();
    }
  }

  private static Endpoint at(RedisServer server) {
    return Endpoint.data(server.host(), server.port());
  }

  private static RedisChannel open(RedisDriver driver, Endpoint server, Runnable broken)
      throws ExecutionException, InterruptedException {
    return driver.open(server, broken).toCompletableFuture().get();
  }

  private static void ping(RedisChannel channel) throws Exception {
    channel
        .send(List.of(RedisCommand.of("PING")), TIMEOUT)
        .toCompletableFuture()
        .get(10, TimeUnit.SECONDS);
  }

  private static int port(RedisChannel channel) throws Exception {
    List<Object> replies =
        channel
            .send(List.of(RedisCommand.of("CONFIG", "GET", "port")), TIMEOUT)
            .toCompletableFuture()
            .get(10, TimeUnit.SECONDS);
    return Integer.parseInt(new String((byte[]) ((List<?>) replies.get(0)).get(1), US_ASCII));
  }

  private static long clients(RedisServer server) {
    return String.valueOf(server.command("CLIENT", "LIST"))
        .lines()
        .filter(line -> line.contains("name=locks"))
        .count();
  }
}
