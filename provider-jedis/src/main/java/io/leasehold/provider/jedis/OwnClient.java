package io.leasehold.provider.jedis;

import io.leasehold.provider.jedis.JedisLockProvider.Settings;
import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.Tls;
import io.leasehold.spi.Secret;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.net.ssl.SSLParameters;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;

/** Connection providers as URLs say. */
final class OwnClient {
  /** Servers and firewalls drop connections that are idle for minutes. */
  private static final Duration IDLE = Duration.ofMinutes(1);

  private static final long RETRY_MILLIS = 1_000;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private OwnClient() {}

  static Settings settings(ConnectionSettings url, int poolSize) {
    DefaultJedisClientConfig.Builder client =
        config(url)
            .user(url.user().orElse(null))
            .password(url.password().map(Secret::reveal).orElse(null))
            .database(url.database())
            .clientName(url.clientName().orElse(null));
    GenericObjectPoolConfig<Connection> pool = new GenericObjectPoolConfig<>();
    pool.setMaxTotal(poolSize);
    pool.setMaxIdle(poolSize);
    pool.setMaxWait(url.commandTimeout());
    pool.setMinEvictableIdleDuration(IDLE);
    pool.setTimeBetweenEvictionRuns(IDLE.dividedBy(2));
    pool.setJmxEnabled(false);
    return new Settings(client, config(url), pool);
  }

  private static DefaultJedisClientConfig.Builder config(ConnectionSettings url) {
    DefaultJedisClientConfig.Builder builder =
        DefaultJedisClientConfig.builder()
            .connectionTimeoutMillis((int) url.connectTimeout().toMillis())
            .socketTimeoutMillis((int) Math.max(1, url.commandTimeout().toMillis()));
    url.tls().ifPresent(tls -> encrypt(builder, tls));
    try {
      builder.autoNegotiateProtocol(false); // RESP2 without HELLO, which may not be allowed
    } catch (NoSuchMethodError e) {
      // Before Jedis 8 this is so unless a protocol is set.
    }
    return builder;
  }

  @SuppressWarnings("deprecation") // SslOptions, the successor of a socket factory, takes files
  private static void encrypt(DefaultJedisClientConfig.Builder builder, Tls tls) {
    SSLParameters parameters = new SSLParameters(); // what is not set stays as it is
    parameters.setEndpointIdentificationAlgorithm(tls.verifiesHost() ? "HTTPS" : null);
    builder.ssl(true).sslSocketFactory(tls.context().getSocketFactory()).sslParameters(parameters);
  }

  /** Finds the servers when it is called, which may block. */
  static Supplier<Servers> opening(RedisServers where, Settings settings) {
    Set<HostAndPort> addresses =
        where.endpoints().stream()
            .map(each -> new HostAndPort(each.host(), each.port()))
            .collect(Collectors.toSet());
    JedisClientConfig client = settings.client().build();
    JedisClientConfig plain = settings.sentinels().build();
    JedisClientConfig loggedIn =
        settings.sentinels().credentialsProvider(client.getCredentialsProvider()).build();
    Supplier<ConnectionProvider> opening =
        switch (where.topology()) {
          case CLUSTER -> () -> new ClusterConnectionProvider(addresses, client, settings.pool());
          case SENTINEL ->
              () -> { // sentinels often have no login, and refuse one that they do not have
                try {
                  return watch(where.masterName(), client, settings.pool(), addresses, plain);
                } catch (JedisException e) {
                  return watch(where.masterName(), client, settings.pool(), addresses, loggedIn);
                }
              };
          default ->
              () ->
                  new PooledConnectionProvider(
                      addresses.iterator().next(), client, settings.pool());
        };
    return () -> Servers.of(opening.get(), client);
  }

  @SuppressWarnings("deprecation") // the successor of the constructor is new in Jedis 7
  private static ConnectionProvider watch(
      String master,
      JedisClientConfig client,
      GenericObjectPoolConfig<Connection> pool,
      Set<HostAndPort> sentinels,
      JedisClientConfig config) {
    return new SentineledConnectionProvider(master, client, pool, sentinels, config, RETRY_MILLIS) {
      /** Jedis ends a thread only while it listens: one that connects would go on for ever. */
      @Override
      public void close() {
        super.close();
        for (SentinelListener listener : sentinelListeners) {
          while (listener.isAlive()) {
            listener.shutdown();
            LockSupport.parkNanos(PAUSE_NANOS);
          }
        }
      }
    };
  }
}
