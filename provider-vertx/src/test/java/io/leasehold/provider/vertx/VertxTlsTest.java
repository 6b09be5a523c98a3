package io.leasehold.provider.vertx;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisDriver;
import io.leasehold.redis.RedisDriverTlsContract;

class VertxTlsTest extends RedisDriverTlsContract {
  @Override
  protected RedisDriver driver(ConnectionSettings settings) {
    return new VertxDriver(null, settings, VertxLockProvider.net(settings), 10_000);
  }
}
