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
import redis.clients.jedis.RedisClient;

/** A driver on clients as an application would make them: with Jedis' defaults, thus with RESP3. */
final class GivenClients implements RedisDriver {
  private final Map<Endpoint, RedisClient> clients = new ConcurrentHashMap<>();
  private final ConnectionSettings settings;
  private final JedisDriver driver;

  GivenClients(ConnectionSettings settings) {
    this.settings = settings;
    this.driver = new JedisDriver(this::connections, settings.connectTimeout());
  }

  private Connections.Given connections(Endpoint server) {
    RedisClient client = clients.computeIfAbsent(server, this::client);
    return () -> (ConnectionPool) client.getPool();
  }

  private RedisClient client(Endpoint server) {
    DefaultJedisClientConfig.Builder config =
        DefaultJedisClientConfig.builder()
            .timeoutMillis((int) settings.connectTimeout().toMillis())
            .user(settings.user().orElse(null))
            .password(settings.password().map(Secret::reveal).orElse(null))
            .clientName(settings.clientName().orElse(null))
            .database(settings.database());
    return RedisClient.builder()
        .hostAndPort(server.host(), server.port())
        .clientConfig(config.build())
        .build();
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
    clients.values().forEach(RedisClient::close);
  }
}
