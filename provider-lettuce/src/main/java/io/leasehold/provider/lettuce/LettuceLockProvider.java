package io.leasehold.provider.lettuce;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisLockProvider;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Keeps locks on Redis servers with the Lettuce driver, versions 6.6 to 7.7. Lettuce finds the
 * servers, connects, logs in and encrypts, as the URL says and as {@linkplain #configured settings}
 * of the application say, or as a {@linkplain #using client} of the application does. The nodes do
 * not block.
 */
public final class LettuceLockProvider extends RedisLockProvider {
  private static final String NAME = "lettuce";

  /** How many requests may wait for their replies before further ones are refused. */
  static final OptionKey<Integer> QUEUE_SIZE =
      OptionKey.integer("lettuce.queueSize", Optional.of(10_000), 10, 10_000_000);

  private final Consumer<Settings> customizer;

  /** Made by {@link java.util.ServiceLoader}. */
  public LettuceLockProvider() {
    this(settings -> {});
  }

  private LettuceLockProvider(Consumer<Settings> customizer) {
    super(NAME, QUEUE_SIZE);
    this.customizer = customizer;
  }

  /**
   * As {@link #LettuceLockProvider()}, with settings that a URL cannot express; for {@code
   * Locks.builder().provider(…)}.
   *
   * @param customizer changes the settings of a client before it is made; what it throws is thrown
   *     to the caller who opens the locks
   */
  public static LockProvider configured(Consumer<Settings> customizer) {
    return new LettuceLockProvider(customizer);
  }

  /**
   * Keeps locks with a client of the application; for {@code Locks.builder().provider(…)}.
   *
   * <p>The locks have connections of their own, which the client makes as its options and the URI
   * say. They are closed with the locks, and when they break; the client itself is never closed.
   * With {@code autoReconnect} Lettuce may repeat the commands that were under way on a connection
   * that broke. The client's {@code requestQueueSize} and {@code timeoutOptions} hold where they
   * are stricter than the options of the URL.
   *
   * <p>Close the locks before the client.
   */
  public static LockProvider using(RedisClient client, RedisURI uri) {
    return given(
        uri.getSentinels().isEmpty()
            ? RedisServers.one(Connector.label(uri))
            : RedisServers.foundByDriver(Connector.label(uri)),
        new Connector(client, uri));
  }

  /**
   * As {@link #using(RedisClient, RedisURI)}, on a cluster. The locks find the owners of keys in
   * the client's view of the cluster, and have it refreshed when a server redirects them or a
   * connection breaks.
   */
  public static LockProvider using(RedisClusterClient client) {
    return given(RedisServers.cluster(List.of()), new Connector(client));
  }

  @Override
  protected DriverPort open(
      LockUrl url, RedisServers servers, ConnectionSettings settings, PortContext context) {
    return LettuceClients.open(servers, settings, context, url.get(QUEUE_SIZE), customizer);
  }

  private static LockProvider given(RedisServers servers, Connector connector) {
    return onClient(
        NAME,
        new Client() {
          @Override
          public RedisServers servers() {
            return servers;
          }

          @Override
          public DriverPort open(LockUrl url, PortContext context) {
            return new LettucePort(connector, context, () -> {});
          }
        });
  }

  /**
   * What a client of Lettuce is made from, filled in as the URL says.
   *
   * @param options on a cluster a {@link io.lettuce.core.cluster.ClusterClientOptions.Builder}
   * @param resources shut down with the locks
   * @param uris of the servers that the URL names, or one with the sentinels; change them with
   *     {@link RedisURI#setCredentialsProvider} and the like
   */
  public record Settings(
      ClientOptions.Builder options, ClientResources.Builder resources, List<RedisURI> uris) {}
}
