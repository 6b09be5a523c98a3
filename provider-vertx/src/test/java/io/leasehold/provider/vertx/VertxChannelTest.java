package io.leasehold.provider.vertx;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisChannelContract;
import io.leasehold.redis.RedisDriver;

class VertxChannelTest extends RedisChannelContract {
  @Override
  protected RedisDriver driver(ConnectionSettings settings) {
    return new VertxDriver(null, settings, VertxLockProvider.net(settings), 10_000);
  }
}
