package io.leasehold.provider.vertx;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisDriver;
import io.leasehold.redis.RedisDriverContract;

class VertxDriverTest extends RedisDriverContract {
  @Override
  protected RedisDriver driver(ConnectionSettings settings) {
    return new VertxDriver(null, settings, VertxLockProvider.net(settings), 10_000);
  }
}
