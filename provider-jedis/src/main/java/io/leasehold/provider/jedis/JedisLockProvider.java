package io.leasehold.provider.jedis;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisDriver;
import io.leasehold.redis.RedisLockProvider;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import java.util.Optional;
import java.util.function.Supplier;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;

/**
 * Keeps locks on Redis, with the Jedis driver. Its nodes block.
 *
 * <p>From a URL it makes connections of its own. With {@code using} it borrows those of a client
 * that the application has: {@code Locks.builder().provider(JedisLockProvider.using(client))}. What
 * matters of that client's configuration:
 *
 * <ul>
 *   <li>The size of its pools. A lock command borrows a connection until it is answered, waiting
 *       for locks keeps one for a subscription; whoever gets none in time fails as overloaded.
 *   <li>Its connect timeout, with which the pools make connections whatever {@code commandTimeout}
 *       says. The socket timeout is replaced while a lock command runs, and restored.
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

  /** Made by {@link java.util.ServiceLoader}. */
  public JedisLockProvider() {
    super(NAME, POOL_SIZE);
  }

  /** On one server, with the connections of a client, which stays open. */
  public static LockProvider using(RedisClient client) {
    return onClient(NAME, GivenPools.of(client));
  }

  /** On the primary that sentinels name, with the connections of a client, which stays open. */
  public static LockProvider using(RedisSentinelClient client) {
    return onClient(NAME, GivenPools.of(client));
  }

  /** On a cluster, with the connections of a client, which stays open. */
  public static LockProvider using(RedisClusterClient client) {
    return onClient(NAME, GivenPools.of(client));
  }

  @Override
  protected Supplier<RedisDriver> driver(LockUrl url, ConnectionSettings settings) {
    int poolSize = url.get(POOL_SIZE);
    return () -> OwnConnections.driver(settings, poolSize);
  }
}
