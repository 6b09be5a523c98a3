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
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Keeps locks on Redis servers, with the Lettuce driver. Its nodes do not block. */
public final class LettuceLockProvider extends RedisLockProvider {
  private static final String NAME = "lettuce";

  /** How many requests may wait for their replies before further ones are refused. */
  static final OptionKey<Integer> QUEUE_SIZE =
      OptionKey.integer("lettuce.queueSize", Optional.of(10_000), 10, 10_000_000);

  /** Made by {@link java.util.ServiceLoader}. */
  public LettuceLockProvider() {
    super(NAME, QUEUE_SIZE);
  }

  /**
   * Keeps locks with a client of the application's, for {@code Locks.builder().provider(…)}.
   *
   * <p>The locks have connections of their own, two at least, which this client makes as the URI
   * says and as its options say, and which are closed with the locks. The client itself is never
   * closed. A connection that breaks is closed and a new one is made, whatever {@code
   * autoReconnect} says. The client's {@code requestQueueSize} and {@code timeoutOptions} hold
   * where they are stricter than the options of the URL.
   *
   * <p>Close the locks before the client.
   */
  public static LockProvider using(RedisClient client, RedisURI uri) {
    RedisServers servers =
        uri.getSentinels().isEmpty()
            ? RedisServers.one(endpoint(uri))
            : RedisServers.foundByDriver(endpoint(uri.getSentinels().get(0)));
    return onClient(NAME, given(() -> servers, Connections.of(client, List.of(uri))));
  }

  /**
   * Keeps locks on a cluster that a client of the application's knows. As {@link
   * #using(RedisClient, RedisURI)}; the locks have cluster connections of their own, and the
   * client's topology refresh finds the owners of keys.
   */
  public static LockProvider using(RedisClusterClient client) {
    return onClient(
        NAME,
        given(
            () ->
                RedisServers.cluster(
                    client.getPartitions().stream().map(node -> endpoint(node.getUri())).toList()),
            Connections.of(client)));
  }

  @Override
  protected DriverPort open(
      LockUrl url, RedisServers servers, ConnectionSettings settings, PortContext context) {
    return LettuceClients.open(servers, settings, context, url.get(QUEUE_SIZE));
  }

  private static Client given(Supplier<RedisServers> servers, Connections connections) {
    return new Client() {
      @Override
      public RedisServers servers() {
        return LettuceErrors.reported(servers);
      }

      @Override
      public DriverPort open(LockUrl url, PortContext context) {
        return new LettucePort(connections, context, () -> {});
      }
    };
  }

  /** For messages, where the URI names a socket instead of a host. */
  private static Endpoint endpoint(RedisURI uri) {
    return uri.getHost() == null
        ? Endpoint.data("localhost", 0)
        : Endpoint.data(uri.getHost(), uri.getPort());
  }
}
