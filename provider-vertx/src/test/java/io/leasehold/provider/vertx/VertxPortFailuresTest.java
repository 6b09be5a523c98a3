package io.leasehold.provider.vertx;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.redis.driver.PortFailuresContract;

class VertxPortFailuresTest extends PortFailuresContract {
  @Override
  protected DriverPort open(
      RedisServers servers, ConnectionSettings settings, PortContext context) {
    return new VertxLockProvider().open(PortTestContext.URL, servers, settings, context);
  }
}
