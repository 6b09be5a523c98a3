package io.leasehold.provider.jedis;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisLockProvider;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ConnectionProvider;

/**
 * Keeps locks on Redis servers, with the Jedis driver. Its nodes block.
 *
 * <p>From a URL it makes connections of its own, with Jedis' connection providers; {@link
 * #configured} changes their settings. With {@code using} it takes the connections of a client that
 * the application has: {@code Locks.builder().provider(JedisLockProvider.using(client))}. That
 * client is used as it is configured. What matters of its configuration:
 *
 * <ul>
 *   <li>The size of its pools. A lock command takes a connection until it is answered, and each
 *       subscription keeps one: waiting for locks needs one for each server, and with {@code
 *       layout=redisson} one for each lock that is waited for.
 *   <li>{@code testOnBorrow}, which should be off: it makes two round trips of one.
 * </ul>
 *
 * <p>After a connection was lost the idle ones of its pool are closed. The client itself never is,
 * and must stay open for longer than the locks.
 */
public final class JedisLockProvider extends RedisLockProvider {
  private static final String NAME = "jedis";

  /** How many connections to one server commands may use at the same time. */
  static final OptionKey<Integer> POOL_SIZE =
      OptionKey.integer("jedis.poolSize", Optional.of(64), 1, 10_000);

  private final Consumer<Settings> changes;

  /** Made by {@link java.util.ServiceLoader}. */
  public JedisLockProvider() {
    this(settings -> {});
  }

  private JedisLockProvider(Consumer<Settings> changes) {
    super(NAME, POOL_SIZE);
    this.changes = changes;
  }

  /**
   * The settings of connections, as the URL says; may be changed.
   *
   * @param client of connections to servers
   * @param sentinels of connections to sentinels; without a login
   * @param pool of the pool of each server
   */
  public record Settings(
      DefaultJedisClientConfig.Builder client,
      DefaultJedisClientConfig.Builder sentinels,
      GenericObjectPoolConfig<Connection> pool) {}

  /**
   * As the provider that is made for a URL, with settings that a URL cannot express: {@code
   * Locks.builder().url(…).provider(JedisLockProvider.configured(settings -> …))}.
   *
   * @param changes called whenever locks are opened, on the thread that opens them
   */
  public static JedisLockProvider configured(Consumer<Settings> changes) {
    return new JedisLockProvider(changes);
  }

  /**
   * Keeps locks with a client that the application has: for one server, for the primary that
   * sentinels name, or for a cluster. The Sentinel clients of Jedis 6 and 7 do not show their
   * connections: hand in the {@linkplain #using(ConnectionProvider) provider} that they were built
   * with.
   *
   * @throws IllegalArgumentException if the client does not show its connections
   */
  public static LockProvider using(UnifiedJedis client) {
    return given(Servers.of(client, null));
  }

  /** Keeps locks with the connections of a provider that the application has; as with a client. */
  public static LockProvider using(ConnectionProvider connections) {
    return given(Servers.of(connections, null));
  }

  private static LockProvider given(Servers servers) {
    return onClient(
        NAME,
        new Client() {
          @Override
          public RedisServers servers() {
            return new RedisServers(servers.topology(), List.of(Endpoint.data("client", 0)), "");
          }

          @Override
          public DriverPort open(LockUrl url, PortContext context) {
            return given(servers, context);
          }
        });
  }

  /** A port on a client that was handed in. */
  static DriverPort given(Servers servers, PortContext context) {
    return new JedisPort(
        context,
        () -> {
          servers.renewal().accept(Servers.NO_KEY);
          return servers;
        });
  }

  @Override
  protected DriverPort open(
      LockUrl url, RedisServers servers, ConnectionSettings settings, PortContext context) {
    Settings changed = OwnClient.settings(settings, url.get(POOL_SIZE));
    changes.accept(changed);
    return new JedisPort(context, OwnClient.opening(servers, changed));
  }
}
