package io.leasehold.provider.jedis;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.redis.driver.PortTlsContract;

class JedisPortTlsTest extends PortTlsContract {
  @Override
  protected DriverPort open(
      RedisServers servers, ConnectionSettings settings, PortContext context) {
    return Ports.open(servers, settings, context);
  }
}
