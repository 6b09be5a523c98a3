package io.leasehold.provider.jedis;

import static io.leasehold.provider.jedis.Ports.ask;
import static io.leasehold.provider.jedis.Ports.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.spi.LockProvider;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.HostAndPortMapper;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisCredentialsProvider;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;

/** Clients and providers of an application; those that this version of Jedis has. */
@Tag("full")
class JedisPortClientsTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final JedisClientConfig CONFIG = DefaultJedisClientConfig.builder().build();

  private final Ports ports = new Ports();

  @AfterEach
  void closePorts() {
    ports.close();
  }

  private static HostAndPort at(RedisServer server) {
    return new HostAndPort(server.host(), server.port());
  }

  private static Set<HostAndPort> sentinels(RedisSentinels set) {
    return set.sentinels().stream().map(JedisPortClientsTest::at).collect(Collectors.toSet());
  }

  private static Set<HostAndPort> nodes(RedisCluster cluster) {
    return cluster.nodes().stream().map(JedisPortClientsTest::at).collect(Collectors.toSet());
  }

  /** Made by its constructor, because the class is not in every version of Jedis. */
  private static UnifiedJedis client(String name, Object... args) throws Exception {
    try {
      return (UnifiedJedis)
          Arrays.stream(Class.forName("redis.clients.jedis." + name).getConstructors())
              .filter(made -> accepts(made.getParameterTypes(), args))
              .findFirst()
              .orElseThrow()
              .newInstance(args);
    } catch (ClassNotFoundException e) {
      return Assumptions.abort("this version has no " + name);
    }
  }

  /** Loaded only where there are such clients, from Jedis 7. */
  private static final class NewClients {
    static UnifiedJedis one(HostAndPort server) {
      return RedisClient.create(server);
    }

    static UnifiedJedis sentinel(String name, Set<HostAndPort> sentinels) {
      return RedisSentinelClient.builder().masterName(name).sentinels(sentinels).build();
    }

    static UnifiedJedis cluster(Set<HostAndPort> nodes) {
      return RedisClusterClient.create(nodes);
    }
  }

  private static boolean accepts(Class<?>[] types, Object... args) {
    boolean all = types.length == args.length;
    for (int i = 0; all && i < args.length; i++) {
      all = types[i].isInstance(args[i]);
    }
    return all;
  }

  private static void needs(String name) {
    try {
      Class.forName("redis.clients.jedis." + name);
    } catch (ClassNotFoundException e) {
      Assumptions.abort("this version has no " + name);
    }
  }

  /** Commands, a subscription, and closing, which leaves the client open. */
  private void uses(DriverPort port, RedisServer server) {
    Ports.Ear ear = new Ports.Ear();
    assertThat(ask(port, "k", "SET", "k", "v")).isEqualTo("OK");
    assertThat(server.command("EXISTS", "k")).isEqualTo(1L);
    assertThat(ask(port, "k", "HGETALL", "k").toString())
        .startsWith("io.leasehold")
        .contains("WRONGTYPE");
    assertThat(ask(port, "k", "EVAL", "return {1, {2, false}}", "1", "k"))
        .isEqualTo("[1, [2, null]]");
    assertThat(Ports.reply(port.subscribe(bytes("k"), bytes("c"), ear).toCompletableFuture()))
        .isEqualTo("true");
    server.command("PUBLISH", "c", "hello");
    await().until(() -> ear.messages.equals(List.of("hello")));
    assertThat(port.primaries().toCompletableFuture().join()).isNotEmpty();
    port.close();
    assertThat(ask(port, "k", "GET", "k").toString()).contains("closed");
  }

  private void stays(UnifiedJedis client, RedisServer server) {
    uses(ports.given(client, TIMEOUT), server);
    assertThat(client.get("k")).as("the client is still open").isEqualTo("v");
    client.close();
  }

  private void stays(ConnectionProvider provider, RedisServer server) throws Exception {
    uses(ports.given(provider, TIMEOUT), server);
    try (Connection connection =
        provider instanceof ClusterConnectionProvider cluster
            ? cluster.getConnectionFromSlot(0)
            : provider.getConnection()) {
      assertThat(connection.ping()).as("the provider is still open").isTrue();
    }
    provider.close();
  }

  @Test
  void aProviderOfOneServer() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      stays(new PooledConnectionProvider(at(server), CONFIG), server);
    }
  }

  @Test
  void theOldClientOfOneServer() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      stays(client("JedisPooled", at(server), CONFIG), server);
    }
  }

  @Test
  void theClientOfOneServer() {
    needs("RedisClient");
    try (RedisServer server = RedisServer.start()) {
      stays(NewClients.one(at(server)), server);
    }
  }

  @Test
  void aProviderOfSentinels() throws Exception {
    try (RedisSentinels set = RedisSentinels.start()) {
      stays(
          new SentineledConnectionProvider(set.masterName(), CONFIG, sentinels(set), CONFIG),
          set.currentMaster());
    }
  }

  @Test
  void theClientOfSentinels() throws Exception {
    needs("RedisSentinelClient");
    try (RedisSentinels set = RedisSentinels.start()) {
      UnifiedJedis client = NewClients.sentinel(set.masterName(), sentinels(set));
      boolean shown =
          Arrays.stream(client.getClass().getMethods())
              .anyMatch(method -> method.getName().equals("getPrimaryNodesConnectionMap"));
      if (shown) {
        stays(client, set.currentMaster());
      } else { // Jedis 7
        refuses(client);
      }
    }
  }

  @Test
  void theOldClientOfSentinelsIsRefusedWithTheReason() throws Exception {
    try (RedisSentinels set = RedisSentinels.start()) {
      refuses(client("JedisSentineled", set.masterName(), CONFIG, sentinels(set), CONFIG));
    }
  }

  private void refuses(UnifiedJedis client) {
    assertThatThrownBy(() -> ports.given(client, TIMEOUT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hand in the ConnectionProvider");
    client.close();
  }

  @Test
  void clientsOfACluster() throws Exception {
    try (RedisCluster cluster = RedisCluster.builder().masters(3).replicasPerMaster(0).start()) {
      RedisServer owner = cluster.masterOf("k");
      stays(new ClusterConnectionProvider(nodes(cluster), CONFIG), owner);
      stays(client("JedisCluster", nodes(cluster), CONFIG), owner);
    }
  }

  @Test
  void theClientOfACluster() {
    needs("RedisClusterClient");
    try (RedisCluster cluster = RedisCluster.builder().masters(3).replicasPerMaster(0).start()) {
      stays(NewClients.cluster(nodes(cluster)), cluster.masterOf("k"));
    }
  }

  @Test
  void aClusterClientFollowsSlots() throws Exception {
    try (RedisCluster cluster = RedisCluster.builder().masters(3).replicasPerMaster(0).start();
        UnifiedJedis client = client("JedisCluster", nodes(cluster), CONFIG)) {
      DriverPort port = ports.given(client, TIMEOUT);
      assertThat(ask(port, "k", "SET", "k", "v")).isEqualTo("OK");
      RedisServer from = cluster.masterOf("k");
      RedisServer to =
          cluster.masters().stream().filter(node -> node != from).findFirst().orElseThrow();
      Ports.Ear ear = new Ports.Ear();
      port.subscribe(bytes("k"), bytes("c"), ear).toCompletableFuture().join();
      cluster.moveSlot(cluster.slotOf("k"), to);
      assertThat(ask(port, "k", "GET", "k")).isEqualTo("v");
      await().until(() -> ear.messages.contains("interrupted"));
      port.close();
    }
  }

  /** A cluster behind proxies, which only a mapper knows, with a password that changes. */
  @Test
  void aClusterClientWithAMapperAndRotatingCredentials() throws Exception {
    AtomicReference<String> password = new AtomicReference<>("first");
    try (RedisCluster cluster = RedisCluster.builder().masters(3).replicasPerMaster(0).start();
        Proxies proxies = new Proxies(cluster)) {
      rotate(cluster.nodes(), password, "first");
      JedisClientConfig config =
          DefaultJedisClientConfig.builder()
              .hostAndPortMapper(proxies)
              .credentialsProvider(rotating(password))
              .build();
      try (UnifiedJedis client = client("JedisCluster", nodes(cluster), config)) {
        followsARotation(ports.given(client, TIMEOUT), cluster, proxies, password);
        assertThat(client.get("key-1")).as("the client is still open").isEqualTo("v");
      }
    }
  }

  @Test
  void aUrlWithAMapperAndRotatingCredentials() {
    AtomicReference<String> password = new AtomicReference<>("first");
    try (RedisCluster cluster = RedisCluster.builder().masters(3).replicasPerMaster(0).start();
        Proxies proxies = new Proxies(cluster)) {
      rotate(cluster.nodes(), password, "first");
      LockProvider configured =
          JedisLockProvider.configured(
              settings -> {
                settings.client().hostAndPortMapper(proxies).clientName("mine");
                settings.client().credentialsProvider(rotating(password));
                settings.pool().setMaxTotal(2);
              });
      String url =
          nodes(cluster).stream()
              .map(HostAndPort::toString)
              .collect(Collectors.joining(",", "redis-cluster://", ""));
      DriverPort port = ports.open(configured, url, TIMEOUT);
      assertThat(ask(port, "k", "CLIENT", "GETNAME")).isEqualTo("mine");
      followsARotation(port, cluster, proxies, password);
    }
  }

  private static RedisCredentialsProvider rotating(AtomicReference<String> password) {
    return () -> new DefaultRedisCredentials("app", password.get());
  }

  /** Changes the password, and ends the connections that were made with the former one. */
  private static void rotate(
      List<RedisServer> nodes, AtomicReference<String> password, String next) {
    for (RedisServer node : nodes) {
      node.command("ACL", "SETUSER", "app", "on", "resetpass", ">" + next, "~*", "&*", "+@all");
      node.command("CLIENT", "KILL", "USER", "app");
    }
    password.set(next);
  }

  private static void followsARotation(
      DriverPort port, RedisCluster cluster, Proxies proxies, AtomicReference<String> password) {
    Ports.Ear ear = new Ports.Ear();
    for (int i = 0; i < 20; i++) {
      assertThat(ask(port, "key-" + i, "SET", "key-" + i, "v")).isEqualTo("OK");
    }
    assertThat(proxies.all.values())
        .allSatisfy(proxy -> assertThat(proxy.connections()).isPositive());
    port.subscribe(bytes("k"), bytes("c"), ear).toCompletableFuture().join();
    rotate(cluster.nodes(), password, "second");
    await().until(() -> ear.messages.contains("interrupted"));
    await().until(() -> ask(port, "k", "SET", "k", "v").equals("OK"));
    assertThat(Ports.reply(port.subscribe(bytes("k"), bytes("c"), ear).toCompletableFuture()))
        .isEqualTo("true");
    port.close();
  }

  /** A proxy for each node of a cluster; the mapper leads there from what the nodes announce. */
  private static final class Proxies implements HostAndPortMapper, AutoCloseable {
    private final Map<Integer, FaultyProxy> all = new HashMap<>();

    Proxies(RedisCluster cluster) {
      cluster.nodes().forEach(node -> all.put(node.port(), FaultyProxy.to(node)));
    }

    @Override
    public HostAndPort getHostAndPort(HostAndPort announced) {
      FaultyProxy proxy = Objects.requireNonNull(all.get(announced.getPort()));
      return new HostAndPort("localhost", proxy.port());
    }

    @Override
    public void close() {
      all.values().forEach(FaultyProxy::close);
    }
  }

  @Test
  void anApplicationsPoolThatIsExhaustedFailsInTime() throws Exception {
    GenericObjectPoolConfig<Connection> one = new GenericObjectPoolConfig<>();
    one.setMaxTotal(1);
    try (RedisServer server = RedisServer.start();
        PooledConnectionProvider provider = new PooledConnectionProvider(at(server), CONFIG, one);
        Connection taken = provider.getConnection()) {
      assertThat(taken.ping()).isTrue();
      DriverPort port = ports.given(provider, Duration.ofMillis(300));
      assertThat(ask(port, "k", "PING").toString()).contains("too many requests");
      port.close();
    }
  }
}
