package io.leasehold.provider.jedis;

import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisLockProvider;
import io.leasehold.redis.RedisServers;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import java.util.function.Function;
import java.util.function.Supplier;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;

/**
 * The pools of a client that the application handed in.
 *
 * @param where its servers are
 * @param pools the pool to borrow from now; may be another one the next time
 */
record GivenPools(Supplier<RedisServers> where, Function<Endpoint, ConnectionPool> pools)
    implements RedisLockProvider.Client {
  private static final Endpoint GIVEN = Endpoint.data("given", 0);

  static GivenPools of(RedisClient client) {
    return new GivenPools(
        () -> RedisServers.one(GIVEN), server -> (ConnectionPool) client.getPool());
  }

  static GivenPools of(RedisSentinelClient client) {
    return new GivenPools(
        () -> RedisServers.foundByDriver(GIVEN),
        server ->
            (ConnectionPool) client.getPrimaryNodesConnectionMap().values().iterator().next());
  }

  static GivenPools of(RedisClusterClient client) {
    return new GivenPools(
        () ->
            RedisServers.cluster(
                client.getClusterNodes().keySet().stream()
                    .map(HostAndPort::from)
                    .map(node -> Endpoint.data(node.getHost(), node.getPort()))
                    .toList()),
        server -> pool(client, new HostAndPort(server.host(), server.port()).toString()));
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

  @Override
  public RedisServers servers() {
    return where.get();
  }

  @Override
  public JedisDriver driver(LockUrl url) {
    return new JedisDriver(
        server -> new BorrowedConnections(() -> pools.apply(server)),
        url.get(Options.CONNECT_TIMEOUT));
  }
}
