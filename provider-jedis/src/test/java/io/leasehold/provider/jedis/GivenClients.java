package io.leasehold.provider.jedis;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisChannel;
import io.leasehold.redis.RedisDriver;
import io.leasehold.redis.RedisListening;
import io.leasehold.spi.Secret;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;

/** A driver on pools as an application's clients have them: with Jedis' defaults, thus RESP3. */
class GivenClients implements RedisDriver {
  private final Map<Endpoint, ConnectionPool> pools = new ConcurrentHashMap<>();
  private final ConnectionSettings settings;
  private final JedisDriver driver;

  GivenClients(ConnectionSettings settings) {
    this.settings = settings;
    this.driver = new JedisDriver(this::connections, settings.connectTimeout());
  }

  /** As {@link redis.clients.jedis.RedisClient} makes it. */
  ConnectionPool pool(HostAndPort server, JedisClientConfig config) {
    return new ConnectionPool(server, config);
  }

  private Connections connections(Endpoint server) {
    ConnectionPool pool = pools.computeIfAbsent(server, this::pool);
    return new BorrowedConnections(() -> pool);
  }

  private ConnectionPool pool(Endpoint server) {
    DefaultJedisClientConfig config =
        DefaultJedisClientConfig.builder()
            .timeoutMillis((int) settings.connectTimeout().toMillis())
            .user(settings.user().orElse(null))
            .password(settings.password().map(Secret::reveal).orElse(null))
            .clientName(settings.clientName().orElse(null))
            .database(settings.database())
            .build();
    return pool(new HostAndPort(server.host(), server.port()), config);
  }

  @Override
  public boolean blocking() {
    return driver.blocking();
  }

  @Override
  public CompletionStage<? extends RedisChannel> open(Endpoint server, Runnable broken) {
    return driver.open(server, broken);
  }

  @Override
  public CompletionStage<? extends RedisListening> listen(
      Endpoint server, byte[] channel, RedisListening.Events events) {
    return driver.listen(server, channel, events);
  }

  @Override
  public void close() {
    driver.close();
    pools.values().forEach(ConnectionPool::close);
  }
}
