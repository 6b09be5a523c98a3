package io.leasehold.provider.jedis;

import io.leasehold.redis.RedisConnectionFailure;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.providers.ConnectionProvider;

/**
 * One server.
 *
 * @param address equal for the same server
 * @param source the driver's pool, or a provider that does not show it
 * @param own the configuration of the port's own connections
 */
record Node(Object address, @Nullable Object source, @Nullable JedisClientConfig own) {

  /** Whether a connection is idle, so that taking it does not block; best effort. */
  boolean isReady() {
    return source instanceof ConnectionPool pool && pool.getNumIdle() > 0;
  }

  /** Takes a connection from the driver. May block. Nothing was sent when it throws. */
  Connection take(Duration wait) {
    try {
      if (source instanceof ConnectionPool pool) {
        Connection connection = pool.borrowObject(wait);
        connection.setHandlingPool(pool);
        return connection;
      }
      if (source instanceof ConnectionProvider provider) {
        return provider.getConnection();
      }
    } catch (Exception e) {
      throw JedisErrors.ofConnecting(e);
    }
    throw RedisConnectionFailure.unreachable("the driver does not know the node yet", null);
  }

  /** A connection for a subscription: there may be many, and own pools are for calls. */
  Connection connect(Duration wait) {
    return own == null ? take(wait) : new Connection((HostAndPort) address, own);
  }

  /**
   * Ends a connection that cannot be used again, and the idle ones, which are likely to be lost,
   * too. May block: some pools replace it at once, and do not notice that they are closed
   * meanwhile.
   */
  void discard(Connection connection) {
    cut(connection);
    if (source instanceof ConnectionPool pool) {
      pool.clear();
      connection.close();
      if (pool.isClosed()) {
        pool.clear();
      }
    }
    connection.close();
  }

  /** Closes the socket under the thread that uses it. May block with Jedis 6. */
  static void cut(Connection connection) {
    connection.setBroken();
    try {
      connection.forceDisconnect();
    } catch (NoSuchMethodError e) { // Jedis 6 has only one that first writes what is buffered
      connection.disconnect();
    } catch (IOException e) {
      // It cannot be used again, closed or not.
    }
  }
}
