package io.leasehold.provider.jedis.port;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.Secret;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** A port on a provider with Jedis' defaults, which is closed after the port. */
final class GivenPort {

  private GivenPort() {}

  static DriverPort open(RedisServers servers, ConnectionSettings settings, PortContext context) {
    DefaultJedisClientConfig config =
        DefaultJedisClientConfig.builder()
            .user(settings.user().orElse(null))
            .password(settings.password().map(Secret::reveal).orElse(null))
            .clientName(settings.clientName().orElse(null))
            .database(settings.database())
            .build();
    PooledConnectionProvider provider =
        new PooledConnectionProvider(
            new HostAndPort(servers.endpoints().get(0).host(), servers.endpoints().get(0).port()),
            config);
    DriverPort port = JedisPort.using(provider, context);
    return (DriverPort)
        Proxy.newProxyInstance(
            GivenPort.class.getClassLoader(),
            new Class<?>[] {DriverPort.class},
            (proxy, method, args) -> {
              try {
                return method.invoke(port, args);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              } finally {
                if (method.getName().equals("close")) {
                  provider.close();
                }
              }
            });
  }
}
