package io.leasehold.provider.jedis;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisChannelContract;
import io.leasehold.redis.RedisDriver;

/** The same on connections of the application's. */
class GivenChannelContractTest extends RedisChannelContract {
  @Override
  protected RedisDriver driver(ConnectionSettings settings) {
    return new GivenClients(settings);
  }
}
