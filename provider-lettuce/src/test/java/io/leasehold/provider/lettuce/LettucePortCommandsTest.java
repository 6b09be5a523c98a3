package io.leasehold.provider.lettuce;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortCommandsContract;
import io.leasehold.redis.driver.PortContext;

class LettucePortCommandsTest extends PortCommandsContract {
  @Override
  protected DriverPort open(
      RedisServers servers, ConnectionSettings settings, PortContext context) {
    return LettucePorts.open(servers, settings, context);
  }
}
