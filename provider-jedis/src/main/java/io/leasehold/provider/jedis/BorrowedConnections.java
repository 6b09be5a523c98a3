package io.leasehold.provider.jedis;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;

/** Connections from the pool of a client that the application handed in. */
final class BorrowedConnections implements Connections {
  private final Supplier<ConnectionPool> lender;
  private final Set<Connection> taken = ConcurrentHashMap.newKeySet();

  BorrowedConnections(Supplier<ConnectionPool> lender) {
    this.lender = lender;
  }

  @Override
  public Connection take(long end) throws Exception {
    ConnectionPool pool = lender.get();
    long left = Math.max(0, end - System.nanoTime());
    Connection connection = pool.borrowObject(Duration.ofNanos(left));
    connection.setHandlingPool(pool);
    taken.add(connection);
    return connection;
  }

  @Override
  public void giveBack(Connection connection) {
    taken.remove(connection);
    if (!connection.isBroken()) {
      connection.close(); // which gives it back
      return;
    }
    // For a broken one its pool makes another at once, on the thread that gives it back.
    Thread thread = new Thread(connection::close, "leasehold-jedis-return");
    thread.setDaemon(true);
    // If no other one can be made, whoever needs it will see.
    thread.setUncaughtExceptionHandler((same, failure) -> {});
    thread.start();
  }

  @Override
  public void cutTaken() {
    taken.forEach(JedisChannel::cut);
  }

  @Override
  public void dropIdle() {
    lender.get().clear();
  }

  /** What is idle is the application's. */
  @Override
  public void close() {}
}
