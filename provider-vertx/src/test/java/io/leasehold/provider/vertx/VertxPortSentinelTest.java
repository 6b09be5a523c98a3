package io.leasehold.provider.vertx;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.redis.driver.PortSentinelContract;

class VertxPortSentinelTest extends PortSentinelContract {
  @Override
  protected DriverPort open(
      RedisServers servers, ConnectionSettings settings, PortContext context) {
    return new VertxLockProvider().open(PortTestContext.URL, servers, settings, context);
  }
}
