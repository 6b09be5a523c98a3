package io.leasehold.provider.lettuce;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisChannelContract;
import io.leasehold.redis.RedisDriver;

class LettuceChannelTest extends RedisChannelContract {
  @Override
  protected RedisDriver driver(ConnectionSettings settings) {
    return new LettuceDriver(Connector.own(settings), settings.connectTimeout(), 10_000);
  }
}
