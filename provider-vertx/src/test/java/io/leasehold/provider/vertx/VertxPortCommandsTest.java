package io.leasehold.provider.vertx;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortCommandsContract;
import io.leasehold.redis.driver.PortContext;

class VertxPortCommandsTest extends PortCommandsContract {
  @Override
  protected DriverPort open(
      RedisServers servers, ConnectionSettings settings, PortContext context) {
    return new VertxLockProvider().open(PortTestContext.URL, servers, settings, context);
  }
}
