package io.leasehold.provider.lettuce;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.LockUrl;

/** Ports as the provider opens them. */
final class LettucePorts {
  private static final LockUrl DEFAULTS = LockUrl.parse("lock:redis://localhost");

  private LettucePorts() {}

  static DriverPort open(RedisServers servers, ConnectionSettings settings, PortContext context) {
    return new LettuceLockProvider().open(DEFAULTS, servers, settings, context);
  }
}
