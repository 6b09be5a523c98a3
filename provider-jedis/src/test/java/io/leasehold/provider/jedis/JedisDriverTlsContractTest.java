package io.leasehold.provider.jedis;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisDriver;
import io.leasehold.redis.RedisDriverTlsContract;

class JedisDriverTlsContractTest extends RedisDriverTlsContract {
  @Override
  protected RedisDriver driver(ConnectionSettings settings) {
    return OwnConnections.driver(settings, 64);
  }
}
