package io.leasehold.provider.lettuce;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.LockUrl;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;

/** Ports as the provider opens them. */
final class LettucePorts {
  private static final LockUrl DEFAULTS = LockUrl.parse("lock:redis://localhost");

  private LettucePorts() {}

  /** With a client of its own. */
  static DriverPort open(RedisServers servers, ConnectionSettings settings, PortContext context) {
    return new LettuceLockProvider().open(DEFAULTS, servers, settings, context);
  }

  /** With a client that was handed in. */
  static DriverPort on(RedisClient client, RedisURI uri, PortContext context) {
    return new LettucePort(new Connector(client, uri), context, () -> {});
  }

  /** With a client for a cluster that was handed in. */
  static DriverPort on(RedisClusterClient client, PortContext context) {
    return new LettucePort(new Connector(client), context, () -> {});
  }
}
