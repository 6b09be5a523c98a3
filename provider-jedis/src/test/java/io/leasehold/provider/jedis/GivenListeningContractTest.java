package io.leasehold.provider.jedis;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisDriver;
import io.leasehold.redis.RedisListeningContract;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;

/**
 * The same on connections of the application's, whose pools make no spare ones. Others make one
 * whenever a broken one comes back, which a contract that counts connections would take for the
 * driver's.
 */
class GivenListeningContractTest extends RedisListeningContract {
  @Override
  protected RedisDriver driver(ConnectionSettings settings) {
    return new GivenClients(settings) {
      @Override
      ConnectionPool pool(HostAndPort server, JedisClientConfig config) {
        return new ConnectionPool(server, config) {
          @Override
          public void addObject() {}
        };
      }
    };
  }
}
