package io.leasehold.provider.vertx;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisLockProvider;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps locks on Redis servers, with the Vert.x Redis client. Its nodes do not block: they may be
 * used on event loops.
 *
 * <p>With a URL alone it has a small Vert.x of its own. Applications that have one hand it in, with
 * a URL or with the options of their clients; what they hand in is never closed.
 */
public final class VertxLockProvider extends RedisLockProvider {
  private static final String NAME = "vertx";

  /** How many commands may wait for their replies on a connection before more are refused. */
  static final OptionKey<Integer> QUEUE_SIZE =
      OptionKey.integer("vertx.queueSize", Optional.of(10_000), 10, 10_000_000);

  private final @Nullable Vertx vertx;
  private final Consumer<Settings> customizer;

  /** Made by {@link java.util.ServiceLoader}. */
  public VertxLockProvider() {
    this(null, unchanged -> {});
  }

  private VertxLockProvider(@Nullable Vertx vertx, Consumer<Settings> customizer) {
    super(NAME, QUEUE_SIZE);
    this.vertx = vertx;
    this.customizer = customizer;
  }

  /**
   * A provider for the usual URLs that changes what they cannot express, such as a proxy or cipher
   * suites. The customizer is called whenever locks are opened.
   */
  public static LockProvider configured(Consumer<Settings> customizer) {
    return new VertxLockProvider(null, customizer);
  }

  /**
   * A provider for the usual URLs that makes its connections on an event loop of the application's
   * Vert.x. They outlive the verticle that opens them, and are closed with the locks.
   */
  public static LockProvider using(Vertx vertx) {
    return new VertxLockProvider(vertx, unchanged -> {});
  }

  /**
   * A provider that makes connections in the application's Vert.x as the options of its client say:
   * one server, sentinels or a cluster, endpoints, login, TLS, queue size. Its pool size and
   * failover settings are not used: the locks keep their connections, and replace what breaks.
   *
   * @throws io.leasehold.spi.InvalidConfigurationException when they do not lead to primaries
   */
  public static LockProvider using(Vertx vertx, RedisOptions options) {
    return onClient(NAME, Clients.of(vertx, options));
  }

  /**
   * A provider that takes connections from the application's client, of one server or behind
   * sentinels. They count for the client's {@code maxPoolSize}: one for commands, one to listen,
   * and one for each call that waits for replicas at the same time. They are closed after use; the
   * client is never closed. If a server does not answer while the driver logs in, its connection
   * keeps a place in the pool.
   *
   * @throws io.leasehold.spi.InvalidConfigurationException for a client of type CLUSTER, which
   *     chooses nodes and repeats commands by itself: hand in its {@linkplain #using(Vertx,
   *     RedisOptions) options}
   */
  public static LockProvider using(Redis client) {
    return onClient(NAME, Clients.of(client));
  }

  @Override
  protected DriverPort open(
      LockUrl url, RedisServers servers, ConnectionSettings settings, PortContext context) {
    RedisOptions options = Clients.options(url, servers, settings);
    customizer.accept(new Settings(options));
    return new Clients(vertx, servers, options, Clients.greeting(settings), null)
        .open(url, context);
  }

  /**
   * What a URL says, in the driver's words.
   *
   * @param options endpoints, TLS, timeouts and queue size are set. Login, database and client name
   *     of the URL are sent when the driver has connected
   */
  public record Settings(RedisOptions options) {}
}
