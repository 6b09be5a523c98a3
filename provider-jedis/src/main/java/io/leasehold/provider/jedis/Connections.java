package io.leasehold.provider.jedis;

import java.util.Set;
import redis.clients.jedis.Connection;

/** Where the connections to one server come from. */
interface Connections {

  /**
   * Takes an idle connection, or makes one. Whatever it throws, nothing was sent.
   *
   * @param end when to give up, by {@link System#nanoTime()}
   * @param busy where to enter the connection, as early as can be
   */
  Connection take(long end, Set<Connection> busy) throws Exception;

  /** Takes a connection back; one that is broken is not used again. */
  void giveBack(Connection connection);

  /** Closes the idle connections. */
  void dropIdle();

  /** Nobody is going to take a connection any more. */
  default void close() {
    dropIdle();
  }
}
