package io.leasehold.provider.jedis;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortClusterContract;
import io.leasehold.redis.driver.PortContext;

class JedisPortClusterTest extends PortClusterContract {
  @Override
  protected DriverPort open(
      RedisServers servers, ConnectionSettings settings, PortContext context) {
    return Ports.open(servers, settings, context);
  }
}
