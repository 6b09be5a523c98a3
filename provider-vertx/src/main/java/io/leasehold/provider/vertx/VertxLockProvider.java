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
import io.vertx.redis.client.Request;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps locks on Redis servers, with the Vert.x Redis client. Its nodes do not block: they may be
 * used on event loops. Without a Vert.x of the application's, locks have a small one of their own.
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

  /** For URLs, with changes that they cannot express. Called whenever locks are opened. */
  public static LockProvider configured(Consumer<Settings> customizer) {
    return new VertxLockProvider(null, customizer);
  }

  /**
   * For URLs, with connections on an event loop of the application's Vert.x, which is never closed.
   * Connections outlive the verticle that opens them, and are closed with the locks.
   */
  public static LockProvider using(Vertx vertx) {
    return new VertxLockProvider(vertx, unchanged -> {});
  }

  /**
   * As {@link #using(Vertx)}, with connections as the options of the application's client say: to
   * one server, the primary that sentinels name, or a cluster. Its pool and failover settings are
   * not used: the locks keep their connections, and replace what breaks.
   *
   * @throws io.leasehold.spi.InvalidConfigurationException when they do not lead to primaries
   */
  public static LockProvider using(Vertx vertx, RedisOptions options) {
    return onClient(NAME, Clients.of(vertx, options));
  }

  /**
   * With connections of the application's client, which is never closed. They count for its pool
   * size: one for commands, one to listen, and one for each call that waits for replicas meanwhile.
   * If a server does not answer while the driver logs in, its connection keeps its place there.
   *
   * @throws io.leasehold.spi.InvalidConfigurationException for a client of type CLUSTER, which
   *     chooses nodes and repeats commands by itself: hand in its options
   */
  public static LockProvider using(Redis client) {
    return onClient(NAME, Clients.of(client));
  }

  @Override
  protected DriverPort open(
      LockUrl url, RedisServers servers, ConnectionSettings settings, PortContext context) {
    RedisOptions options = Clients.options(url, servers, settings);
    customizer.accept(new Settings(options));
    List<Request> greeting = Clients.greeting(settings);
    return new VertxPort(new Clients(vertx, servers, options, greeting, null), context);
  }

  /**
   * What a URL says, in the driver's words.
   *
   * @param options all but login, database and client name, which are sent on new connections
   */
  public record Settings(RedisOptions options) {}
}
