package io.leasehold.provider.vertx;

import static io.leasehold.provider.vertx.PortTestContext.KEY;
import static io.leasehold.provider.vertx.PortTestContext.LONG;
import static io.leasehold.provider.vertx.PortTestContext.ask;
import static io.leasehold.provider.vertx.PortTestContext.context;
import static io.leasehold.provider.vertx.PortTestContext.get;
import static io.leasehold.provider.vertx.PortTestContext.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.provider.vertx.VertxPort.Clients;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an application hands in is used as it is, and left alone. */
@Tag("full")
class VertxPortHandedInTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration SHORT = Duration.ofMillis(400);

  private final Vertx vertx = Vertx.vertx();
  private final RedisServer server = RedisServer.start();

  @AfterEach
  void close() {
    get(vertx.close().toCompletionStage());
    server.close();
  }

  private static DriverPort open(Vertx vertx, RedisOptions options, PortContext context) {
    boolean sentinel = options.getType() == RedisClientType.SENTINEL;
    RedisServers servers =
        new RedisServers(
            RedisServers.Topology.valueOf(options.getType().name()),
            options.getEndpoints().stream()
                .map(URI::create)
                .map(at -> Endpoint.data(at.getHost(), at.getPort()))
                .toList(),
            sentinel ? options.getMasterName() : "");
    return new VertxPort(new Clients(vertx, servers, options, List.of(), null), context);
  }

  private DriverPort open(Redis client, PortContext context) {
    RedisServers servers = RedisServers.one(Endpoint.data("client", 0));
    return new VertxPort(
        new Clients(vertx, servers, new RedisOptions(), List.of(), client), context);
  }

  private static String url(String host, int port) {
    return "redis://" + host + ":" + port;
  }

  private RedisOptions options() {
    return new RedisOptions().addConnectionString(url(server.host(), server.port()));
  }

  private long clientsNamed(String name) {
    return String.valueOf(server.command("CLIENT", "LIST"))
        .lines()
        .filter(line -> line.contains(" name=" + name + " "))
        .count();
  }

  private static void assertWorks(DriverPort port) {
    await().atMost(LONG).ignoreExceptions().until(() -> get(ask(port, "SET", "key", "v")) != null);
    assertThat(text(get(ask(port, "GET", "key")))).isEqualTo("v");
    List<Object> alone =
        get(
            port.sendAlone(
                KEY, List.of(RedisCommand.of("GET", "key"), RedisCommand.of("WAIT", "0", "1"))));
    assertThat(alone.get(1)).isInstanceOf(Long.class);
  }

  @Test
  void optionsSayWhoWeAreAndTheVertxStaysOpen() {
    server.command("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all");
    String given = "redis://app:pw@" + server.host() + ":" + server.port() + "/3?client=me";
    DriverPort port = open(vertx, new RedisOptions().addConnectionString(given), context(TIMEOUT));
    assertWorks(port);
    Messages messages = new Messages();
    get(port.subscribe(KEY, "news".getBytes(StandardCharsets.UTF_8), messages));
    assertThat(text(get(ask(port, "ACL", "WHOAMI")))).isEqualTo("app");
    assertThat(String.valueOf(server.command("INFO", "keyspace"))).contains("db3:keys=1");
    assertThat(clientsNamed("me")).isEqualTo(3);
    port.close();
    await().atMost(LONG).until(() -> clientsNamed("me") == 0);
    CompletableFuture<Boolean> alive = new CompletableFuture<>();
    vertx.runOnContext(ignored -> alive.complete(true));
    assertThat(get(alive)).isTrue();
  }

  @Test
  void optionsForSentinelsLeadToThePrimary() {
    try (RedisSentinels set = RedisSentinels.start()) {
      RedisOptions options =
          new RedisOptions()
              .setType(RedisClientType.SENTINEL)
              .setMasterName(set.masterName())
              .setAutoFailover(true);
      set.sentinelAddresses()
          .forEach(at -> options.addConnectionString(url(at.getHostString(), at.getPort())));
      set.sentinels().get(0).pause(); // one that is silent, not only gone
      DriverPort port = open(vertx, options, context(SHORT));
      assertWorks(port);
      assertThat(set.currentMaster().command("EXISTS", "key")).isEqualTo(1L);
      set.sentinels().get(0).resume();
      port.close();
    }
  }

  @Test
  void optionsForAClusterLeadToTheOwners() {
    try (RedisCluster cluster = RedisCluster.builder().masters(3).replicasPerMaster(0).start()) {
      RedisOptions options = new RedisOptions().setType(RedisClientType.CLUSTER);
      options.addConnectionString(url("127.0.0.1", cluster.nodes().get(0).port()) + "?client=me");
      DriverPort port = open(vertx, options, context(TIMEOUT));
      assertWorks(port);
      assertThat(cluster.masterOf("key").command("EXISTS", "key")).isEqualTo(1L);
      assertThat(get(port.primaries())).hasSize(3);
      assertThat(String.valueOf(cluster.masterOf("key").command("CLIENT", "LIST")))
          .contains(" name=me ");
      port.close();
    }
  }

  @Test
  void optionsThatDoNotLeadToPrimariesAreRefusedWithoutTheirSecrets() {
    RedisOptions replication = options().setType(RedisClientType.REPLICATION);
    assertThatThrownBy(() -> VertxLockProvider.using(vertx, replication))
        .isInstanceOf(InvalidConfigurationException.class);
    RedisOptions unreadable = new RedisOptions().setType(RedisClientType.CLUSTER);
    unreadable.addConnectionString("redis://:s3cr3t@a b");
    assertThatThrownBy(() -> VertxLockProvider.using(vertx, unreadable))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasNoCause()
        .hasMessageNotContaining("s3cr3t");
  }

  @Test
  void aPortThatAVerticleOpenedOutlivesIt() {
    Opener.server = server;
    Opener.opened = new CompletableFuture<>();
    String verticle =
        get(
            vertx
                .deployVerticle(Opener.class.getName(), new DeploymentOptions())
                .toCompletionStage());
    DriverPort port = get(Opener.opened);
    assertWorks(port);
    String before = String.valueOf(get(ask(port, "CLIENT", "ID")));
    get(vertx.undeploy(verticle).toCompletionStage());
    assertThat(String.valueOf(get(ask(port, "CLIENT", "ID")))).isEqualTo(before);
    port.close();
  }

  @Test
  void whenTheApplicationClosesItsVertxCallsFail() {
    DriverPort port = open(vertx, options(), context(SHORT));
    assertWorks(port);
    get(vertx.close().toCompletionStage());
    assertThat(ask(port, "PING"))
        .failsWithin(LONG)
        .withThrowableOfType(java.util.concurrent.ExecutionException.class)
        .withCauseInstanceOf(RedisConnectionFailure.class);
    port.close();
  }

  @Test
  void connectionsOfAClientAreClosedAndTheClientIsNot() {
    Redis client =
        Redis.createClient(
            vertx,
            new RedisOptions()
                .addConnectionString(url(server.host(), server.port()) + "?client=me"));
    DriverPort port = open(client, context(TIMEOUT));
    assertWorks(port);
    Messages messages = new Messages();
    get(port.subscribe(KEY, "news".getBytes(StandardCharsets.UTF_8), messages));
    server.command("PUBLISH", "news", "hello");
    await().atMost(LONG).until(() -> messages.received.equals(List.of("hello")));
    server.command("CLIENT", "KILL", "TYPE", "pubsub");
    await().atMost(LONG).until(() -> messages.interruptions.get() == 1);
    get(port.subscribe(KEY, "news".getBytes(StandardCharsets.UTF_8), messages));
    server.command("PUBLISH", "news", "again");
    await().atMost(LONG).until(() -> messages.received.contains("again"));
    assertThat(get(ask(port, "CONFIG", "GET", "maxmemory"))).isInstanceOf(List.class);
    port.close();
    await().atMost(LONG).until(() -> clientsNamed("me") == 0);
    get(client.send(Request.cmd(Command.PING)).map(String::valueOf).toCompletionStage());
  }

  @Test
  void aSilentConnectionOfAClientIsReplaced() {
    try (FaultyProxy proxy = FaultyProxy.to(server)) {
      RedisOptions options = new RedisOptions().setMaxPoolSize(2).setMaxPoolWaiting(2);
      options.addConnectionString(url(proxy.host(), proxy.port()));
      Redis client = Redis.createClient(vertx, options);
      DriverPort port = open(client, context(SHORT));
      assertWorks(port);
      for (int i = 0; i < 5; i++) {
        proxy.blackHole();
        assertThat(ask(port, "GET", "key")).failsWithin(LONG);
        proxy.drop(io.leasehold.testkit.Direction.TO_SERVER);
        proxy.heal();
        await()
            .atMost(LONG)
            .ignoreExceptions()
            .until(() -> get(ask(port, "SET", "key", "v")) != null);
      }
      port.close();
      await().atMost(LONG).until(() -> proxy.openConnections() == 0);
    }
  }

  @Test
  void aClientForAClusterIsRefused() {
    Redis client = Redis.createClient(vertx, options().setType(RedisClientType.CLUSTER));
    assertThatThrownBy(() -> VertxLockProvider.using(client))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("RedisOptions");
  }

  /** Deployed by its name: other ways to deploy are not the same in 4.5 and 5. */
  public static final class Opener extends AbstractVerticle {
    static volatile CompletableFuture<DriverPort> opened = new CompletableFuture<>();
    static volatile @Nullable RedisServer server;

    @Override
    public void start() {
      RedisServer at = Objects.requireNonNull(server);
      RedisOptions options = new RedisOptions().addConnectionString(url(at.host(), at.port()));
      opened.complete(open(vertx, options, context(TIMEOUT)));
    }
  }

  private static final class Messages implements DriverPort.Subscriber {
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final AtomicInteger interruptions = new AtomicInteger();

    @Override
    public void message(byte[] payload) {
      received.add(new String(payload, StandardCharsets.UTF_8));
    }

    @Override
    public void interrupted() {
      interruptions.incrementAndGet();
    }
  }
}
