package io.leasehold.provider.jedis.port;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;

/**
 * One server, or whichever server is the primary.
 *
 * @param id equal for the same server
 * @param pool where its connections come from, unless the driver does not show it
 * @param single makes or borrows a connection that may be kept for long
 */
record Node(Object id, Optional<ConnectionPool> pool, Supplier<Connection> single) {

  /** Whether {@link #borrow} makes no connection, but may wait for one; best effort. */
  boolean ready() {
    return pool.isPresent()
        && (pool.get().getNumIdle() > 0 || pool.get().getNumActive() >= pool.get().getMaxTotal());
  }

  /** Takes an idle connection, makes one, or waits for one. Nothing was sent when it throws. */
  Connection borrow(Duration wait) throws Exception {
    if (pool.isEmpty()) {
      return single.get();
    }
    Connection connection = pool.get().borrowObject(wait);
    connection.setHandlingPool(pool.get());
    return connection;
  }

  /** Closes the idle connections; may block. */
  void clear() {
    pool.ifPresent(ConnectionPool::clear);
  }
}
