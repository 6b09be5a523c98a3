package io.leasehold.provider.lettuce;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisDriver;
import io.leasehold.redis.RedisLockProvider;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
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
   * <p>The locks have connections of their own, two at least, which are made by this client and
   * closed with the locks; the client itself is never closed. Connections are made as the URI says:
   * its credentials, database, client name and TLS. If it lists sentinels, Lettuce asks them for
   * the primary each time. What the client's options say holds:
   *
   * <ul>
   *   <li>{@code autoReconnect} and {@code disconnectedBehavior} are of no consequence: a
   *       connection that breaks is closed at once, its commands fail, and a new one is made.
   *   <li>{@code timeoutOptions} that are shorter than the locks' command timeout win over it.
   *   <li>{@code requestQueueSize} may refuse requests before {@code lettuce.queueSize} does.
   *   <li>{@code protocolVersion} may be either.
   *   <li>The connect timeouts of the client and of the URI bound an attempt to connect that the
   *       locks have given up.
   * </ul>
   *
   * <p>Close the locks before the client.
   */
  public static LockProvider using(RedisClient client, RedisURI uri) {
    return onClient(NAME, GivenClient.of(client, uri), QUEUE_SIZE);
  }

  /**
   * Keeps locks on a cluster that a client of the application's knows.
   *
   * <p>The locks have connections of their own to its nodes, made on the client's threads with its
   * options and the credentials and TLS of its URIs, and closed with the locks; the client itself
   * is never closed, and its own connections are not used. Of its options, those about
   * reconnecting, command timeouts and maintenance notifications do not matter to the locks. To
   * open the locks asks the client for its partitions, which connects if it never did, within the
   * client's own timeouts.
   *
   * <p>Close the locks before the client.
   */
  public static LockProvider using(RedisClusterClient client) {
    return onClient(NAME, GivenClient.of(client), QUEUE_SIZE);
  }

  @Override
  protected Supplier<RedisDriver> driver(LockUrl url, ConnectionSettings settings) {
    int queueSize = url.get(QUEUE_SIZE);
    return () -> new LettuceDriver(Connector.own(settings), settings.connectTimeout(), queueSize);
  }
}
