package io.leasehold.provider.jedis;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisDriver;
import io.leasehold.redis.RedisNodes;
import io.leasehold.redis.RedisOptions;
import io.leasehold.redis.RedisServers;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;

/**
 * Keeps locks on Redis, with the Jedis driver. Its nodes block.
 *
 * <p>From a URL it makes connections of its own. With {@code using} it borrows those of a client
 * that the application has: {@code Locks.builder().provider(JedisLockProvider.using(client))}. What
 * matters of that client's configuration:
 *
 * <ul>
 *   <li>The size of its pools. A lock command borrows a connection until it is answered, waiting
 *       for locks keeps one for a subscription; whoever gets none in time fails as overloaded.
 *   <li>Its connect timeout, with which the pools make connections whatever {@code commandTimeout}
 *       says. The socket timeout is replaced while a lock command runs, and restored.
 *   <li>{@code testOnBorrow}, which should be off: it makes two round trips of one.
 * </ul>
 *
 * <p>After a connection was lost the idle ones of its pool are closed. The client itself never is,
 * and must stay open for longer than the locks.
 */
public final class JedisLockProvider implements LockProvider {
  private static final String NAME = "jedis";
  private static final Endpoint GIVEN = Endpoint.data("given", 0);

  /** How many connections to one server commands may use at the same time. */
  static final OptionKey<Integer> POOL_SIZE =
      OptionKey.integer("jedis.poolSize", Optional.of(64), 1, 10_000);

  /** What a client that was handed in has settled already. */
  private static final Set<OptionKey<?>> SETTLED =
      Set.of(
          Options.CLIENT_NAME,
          Options.MASTER_NAME,
          Options.TLS_CA,
          Options.TLS_VERIFY,
          Options.TLS_CERT,
          Options.TLS_KEY);

  private final Optional<Given> given;

  private record Given(Supplier<RedisServers> servers, Function<Endpoint, Connections> source) {}

  /** Made by {@link java.util.ServiceLoader}. */
  public JedisLockProvider() {
    this(Optional.empty());
  }

  private JedisLockProvider(Optional<Given> given) {
    this.given = given;
  }

  /** On one server, with the connections of a client, which stays open. */
  public static LockProvider using(RedisClient client) {
    return given(() -> RedisServers.one(GIVEN), server -> () -> (ConnectionPool) client.getPool());
  }

  /** On the primary that sentinels name, with the connections of a client, which stays open. */
  public static LockProvider using(RedisSentinelClient client) {
    return given(
        () -> RedisServers.foundByDriver(GIVEN),
        server ->
            () ->
                (ConnectionPool) client.getPrimaryNodesConnectionMap().values().iterator().next());
  }

  /** On a cluster, with the connections of a client, which stays open. */
  public static LockProvider using(RedisClusterClient client) {
    return given(
        () ->
            RedisServers.cluster(
                client.getClusterNodes().keySet().stream()
                    .map(HostAndPort::from)
                    .map(node -> Endpoint.data(node.getHost(), node.getPort()))
                    .toList()),
        server -> () -> pool(client, new HostAndPort(server.host(), server.port()).toString()));
  }

  private static ConnectionPool pool(RedisClusterClient client, String node) {
    if (!client.getClusterNodes().containsKey(node)) {
      client.refreshClusterTopology();
    }
    ConnectionPool pool = client.getClusterNodes().get(node);
    if (pool == null) {
      throw new IllegalStateException("the client knows no node " + node + " of its cluster");
    }
    return pool;
  }

  private static LockProvider given(
      Supplier<RedisServers> servers, Function<Endpoint, Connections.Given> source) {
    return new JedisLockProvider(Optional.of(new Given(servers, source::apply)));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<String> schemes() {
    return given.isPresent() ? Set.of("client") : Set.copyOf(RedisServers.SCHEMES);
  }

  @Override
  public Set<OptionKey<?>> options() {
    Set<OptionKey<?>> keys = new HashSet<>(RedisOptions.COMMON);
    if (given.isPresent()) {
      keys.removeAll(SETTLED);
    } else {
      keys.add(POOL_SIZE);
    }
    return keys;
  }

  @Override
  public LockNode open(LockUrl url, ProviderContext context) {
    return RedisNodes.open(NAME, url, servers(url), context, driver(url));
  }

  RedisServers servers(LockUrl url) {
    return given.map(client -> client.servers.get()).orElseGet(() -> RedisServers.of(url));
  }

  /** Reads all of the URL before it makes a driver. */
  Supplier<RedisDriver> driver(LockUrl url) {
    if (given.isPresent()) {
      return () -> new JedisDriver(given.get().source, url.get(Options.CONNECT_TIMEOUT));
    }
    ConnectionSettings settings = ConnectionSettings.of(url);
    int poolSize = url.get(POOL_SIZE);
    return () -> JedisDriver.of(settings, poolSize);
  }
}
