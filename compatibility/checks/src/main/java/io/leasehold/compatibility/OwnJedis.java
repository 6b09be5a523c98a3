package io.leasehold.compatibility;

import io.leasehold.Locks;
import io.leasehold.LocksBuilder;
import io.leasehold.provider.jedis.JedisLockProvider;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** A Jedis pool. */
final class OwnJedis implements OwnClient {
  private final PooledConnectionProvider connections;

  OwnJedis(int port) {
    connections =
        new PooledConnectionProvider(
            new HostAndPort("127.0.0.1", port), DefaultJedisClientConfig.builder().build());
  }

  @Override
  public LocksBuilder locks() {
    return Locks.builder().provider(JedisLockProvider.using(connections));
  }

  @Override
  public void close() {
    connections.close();
  }
}
