package io.leasehold.provider.jedis;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.Secret;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** Ports on a provider with Jedis' defaults, as an application may hand it in. */
final class GivenPort {
  private static final Queue<PooledConnectionProvider> OPEN = new ConcurrentLinkedQueue<>();

  private GivenPort() {}

  static DriverPort open(RedisServers servers, ConnectionSettings settings, PortContext context) {
    DefaultJedisClientConfig config =
        DefaultJedisClientConfig.builder()
            .user(settings.user().orElse(null))
            .password(settings.password().map(Secret::reveal).orElse(null))
            .clientName(settings.clientName().orElse(null))
            .database(settings.database())
            .build();
    HostAndPort server =
        new HostAndPort(servers.endpoints().get(0).host(), servers.endpoints().get(0).port());
    PooledConnectionProvider provider = new PooledConnectionProvider(server, config);
    OPEN.add(provider);
    return Ports.given(provider, context);
  }

  static void closeProviders() {
    OPEN.removeIf(
        provider -> {
          provider.close();
          return true;
        });
  }
}
