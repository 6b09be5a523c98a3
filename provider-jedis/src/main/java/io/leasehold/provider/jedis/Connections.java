package io.leasehold.provider.jedis;

import java.time.Duration;
import java.util.Set;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.exceptions.JedisException;

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
  default void close() {}

  /** From the pool of a client that the application handed in. */
  interface Given extends Connections {

    /** The pool to borrow from now; may be another one the next time. */
    ConnectionPool pool();

    @Override
    default Connection take(long end, Set<Connection> busy) throws Exception {
      ConnectionPool pool = pool();
      long left = Math.max(0, end - System.nanoTime());
      Connection connection = pool.borrowObject(Duration.ofNanos(left));
      connection.setHandlingPool(pool);
      busy.add(connection);
      return connection;
    }

    @Override
    default void giveBack(Connection connection) {
      if (!connection.isBroken()) {
        connection.close(); // which gives it back
        return;
      }
      // For a broken one its pool makes another at once, on the thread that gives it back.
      Thread thread = new Thread(() -> giveBackBroken(connection), "leasehold-jedis-return");
      thread.setDaemon(true);
      thread.start();
    }

    private static void giveBackBroken(Connection connection) {
      try {
        connection.close();
      } catch (JedisException e) {
        // No other one could be made, which whoever needs it will see.
      }
    }

    @Override
    default void dropIdle() {
      pool().clear();
    }
  }
}
