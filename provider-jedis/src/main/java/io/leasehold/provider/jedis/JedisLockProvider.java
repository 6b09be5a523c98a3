package io.leasehold.provider.jedis;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisLockProvider;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.Tls;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLParameters;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ConnectionProvider;

/**
 * Keeps locks on Redis servers, with the Jedis driver, versions 6.0 to 8.0. Its nodes block.
 *
 * <p>From a URL it makes connections of its own; {@link #configured} changes their settings. With
 * {@code using} it takes those of a client that the application has, as it is configured: {@code
 * Locks.builder().provider(JedisLockProvider.using(client))}. Each lock command takes one from the
 * client's pool; subscriptions have further ones. After a connection was lost the idle ones of its
 * pool are closed. The client itself never is; close it after the locks.
 */
public final class JedisLockProvider extends RedisLockProvider {
  private static final String NAME = "jedis";

  /** How many connections to one server commands may use at the same time. */
  static final OptionKey<Integer> POOL_SIZE =
      OptionKey.integer("jedis.poolSize", Optional.of(64), 1, 10_000);

  private final Consumer<Settings> customizer;

  /** Made by {@link java.util.ServiceLoader}. */
  public JedisLockProvider() {
    this(settings -> {});
  }

  private JedisLockProvider(Consumer<Settings> customizer) {
    super(NAME, POOL_SIZE);
    this.customizer = customizer;
  }

  /**
   * The settings of connections, as a URL says, to be changed.
   *
   * @param client of connections to servers
   * @param sentinels of those to sentinels; without a login, that of the servers is tried, too
   * @param pool of each server
   */
  public record Settings(
      DefaultJedisClientConfig.Builder client,
      DefaultJedisClientConfig.Builder sentinels,
      GenericObjectPoolConfig<Connection> pool) {}

  /**
   * A provider for URLs, with settings that a URL cannot express: {@code
   * Locks.builder().url(…).provider(JedisLockProvider.configured(settings -> …))}. The customizer
   * is called whenever locks are opened.
   */
  public static LockProvider configured(Consumer<Settings> customizer) {
    return new JedisLockProvider(customizer);
  }

  /**
   * Keeps locks with a client of one server, of sentinels, or of a cluster.
   *
   * @throws IllegalArgumentException if the client does not show its connections, as the Sentinel
   *     clients before Jedis 8: hand in the {@link ConnectionProvider} that it was built with
   */
  public static LockProvider using(UnifiedJedis client) {
    return onClient(NAME, new Given(Servers.of(client)));
  }

  /** Keeps locks with the connections of a provider, as with a client. */
  public static LockProvider using(ConnectionProvider connections) {
    return onClient(NAME, new Given(Servers.of(connections)));
  }

  private record Given(Servers found) implements Client {
    @Override
    public RedisServers servers() {
      return new RedisServers(found.topology(), List.of(Endpoint.data("client", 0)), "");
    }

    @Override
    public DriverPort open(LockUrl url, PortContext context) {
      return new JedisPort(context, found::handedIn);
    }
  }

  @Override
  protected DriverPort open(
      LockUrl url, RedisServers servers, ConnectionSettings settings, PortContext context) {
    Settings customized = settings(settings, url.get(POOL_SIZE));
    customizer.accept(customized);
    return new JedisPort(context, () -> Servers.open(servers, customized));
  }

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
    Duration idle = Duration.ofMinutes(1); // servers and firewalls drop idle connections
    pool.setMinEvictableIdleDuration(idle);
    pool.setTimeBetweenEvictionRuns(idle);
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
}
