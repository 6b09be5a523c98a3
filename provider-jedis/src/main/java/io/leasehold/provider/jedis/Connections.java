package io.leasehold.provider.jedis;

import io.leasehold.redis.Sharing;
import redis.clients.jedis.Connection;

/** Where the connections to one server come from. */
interface Connections {

  /**
   * Takes an idle connection, or makes one. Whatever it throws, nothing was sent.
   *
   * @param end when to give up, by {@link System#nanoTime()}
   */
  Connection take(long end) throws Exception;

  /** When a connection is shared. */
  default Sharing sharing() {
    return Sharing.NEVER;
  }

  /** Takes a connection back; one that is broken is not used again. */
  void giveBack(Connection connection);

  /** Ends the connections that are taken, or about to be, under whoever uses them. */
  void cutTaken();

  /** Closes the idle connections. */
  void dropIdle();

  /** Nobody is going to take a connection any more. */
  default void close() {
    dropIdle();
  }
}
