package io.leasehold.provider.jedis;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisChannelContract;
import io.leasehold.redis.RedisDriver;

class JedisChannelContractTest extends RedisChannelContract {
  @Override
  protected RedisDriver driver(ConnectionSettings settings) {
    return OwnConnections.driver(settings, 64);
  }
}
