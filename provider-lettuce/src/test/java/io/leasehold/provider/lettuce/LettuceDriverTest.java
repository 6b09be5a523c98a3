package io.leasehold.provider.lettuce;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisDriver;
import io.leasehold.redis.RedisDriverContract;

class LettuceDriverTest extends RedisDriverContract {
  @Override
  protected RedisDriver driver(ConnectionSettings settings) {
    return new LettuceDriver(Connector.own(settings), settings.connectTimeout(), 10_000);
  }
}
