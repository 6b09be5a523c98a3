package io.leasehold.provider.lettuce;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
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
 * Keeps locks on Redis servers with the Lettuce driver, versions 6.6 to 7.7. Its nodes do not
 * block.
 *
 * <p>Lettuce finds the servers, connects, logs in and encrypts: as the URL says, as the URL and
 * {@linkplain #configured settings of the application} say, or as a {@linkplain #using client of
 * the application} does.
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
   * Keeps locks with a client that is made from the URL and from settings that a URL cannot
   * express, for {@code Locks.builder().provider(…)}.
   *
   * @param customizer changes the settings, each time that locks are opened; what it throws is
   *     thrown to the caller who opens them
   */
  public static LockProvider configured(Consumer<Settings> customizer) {
    return new LettuceLockProvider(customizer);
  }

  /**
   * Keeps locks with a client of the application's, for {@code Locks.builder().provider(…)}.
   *
   * <p>The locks have connections of their own, two at least, which this client makes as the URI
   * says and as its options say, and which are closed with the locks. The client itself is never
   * closed. A connection that breaks is closed and a new one is made, whatever {@code
   * autoReconnect} says; until then Lettuce may repeat commands on it, if the options say so. The
   * client's {@code requestQueueSize} and {@code timeoutOptions} hold where they are stricter than
   * the options of the URL.
   *
   * <p>Close the locks before the client.
   */
  public static LockProvider using(RedisClient client, RedisURI uri) {
    Endpoint server = Connector.label(uri);
    return given(
        uri.getSentinels().isEmpty()
            ? RedisServers.one(server)
            : RedisServers.foundByDriver(server),
        new Connector(client, uri));
  }

  /**
   * Keeps locks on a cluster that a client of the application's knows. As {@link
   * #using(RedisClient, RedisURI)}; the locks have cluster connections of their own, and find the
   * owners of keys in the client's view of the cluster. They ask the client to refresh it when a
   * server redirects them or a connection breaks.
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
   * What a client of Lettuce is made from. Everything is filled in as the URL says.
   *
   * @param options of the client; on a cluster a {@link
   *     io.lettuce.core.cluster.ClusterClientOptions.Builder}
   * @param resources of the client, which are shut down with it
   * @param uris of the server, of the primary behind Sentinel, or of the nodes of the cluster that
   *     the URL names; {@link RedisURI#setCredentialsProvider} and others change them
   */
  public record Settings(
      ClientOptions.Builder options, ClientResources.Builder resources, List<RedisURI> uris) {}
}
