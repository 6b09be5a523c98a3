package com.example.sqllock;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A few connections, made when they are needed, and never more than so many. Thread-safe. */
final class Connections implements AutoCloseable {

  /** Makes a connection, within a bounded time. */
  interface Source {
    Connection connect() throws SQLException;
  }

  /**
   * A connection that was borrowed.
   *
   * @param fresh whether it was made just now; one that was idle may be dead without knowing it
   */
  record Loan(Connection connection, boolean fresh) {}

  private final Source source;
  private final Semaphore slots;
  private final Deque<Connection> idle = new ArrayDeque<>(); // guarded by this
  private final Set<Connection> busy = new HashSet<>(); // guarded by this
  private boolean closed; // guarded by this

  Connections(Source source, int most) {
    this.source = source;
    this.slots = new Semaphore(most, true);
  }

  /** Borrows a connection; every loan must be ended, by {@link #keep} or {@link #discard}. */
  Loan borrow(long waitNanos) throws SQLException {
    if (!slot(waitNanos)) {
      throw new SQLTimeoutException("all connections to the database are in use");
    }
    Connection connection = null;
    try {
      Connection known = nextIdle();
      connection = known != null ? known : source.connect();
      connection.setNetworkTimeout(Runnable::run, (int) (waitNanos / 1_000_000) + 1);
      lent(connection);
      return new Loan(connection, known == null);
    } catch (SQLException | RuntimeException e) {
      if (connection != null) {
        end(connection);
      }
      slots.release();
      throw e;
    }
  }

  /** Waits also when the thread is interrupted: the caller decides what that means to it. */
  private boolean slot(long waitNanos) {
    boolean interrupted = Thread.interrupted();
    long end = System.nanoTime() + waitNanos;
    try {
      while (true) {
        try {
          return slots.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized @Nullable Connection nextIdle() throws SQLException {
    ensureOpen();
    return idle.poll();
  }

  private synchronized void lent(Connection connection) throws SQLException {
    ensureOpen();
    busy.add(connection);
  }

  private void ensureOpen() throws SQLException {
    if (closed) {
      throw new SQLTransientConnectionException("closed");
    }
  }

  /** Ends a loan; the connection can be used again. */
  void keep(Loan loan) {
    boolean kept;
    synchronized (this) {
      busy.remove(loan.connection);
      kept = !closed;
      if (kept) {
        idle.push(loan.connection);
      }
    }
    if (!kept) {
      end(loan.connection);
    }
    slots.release();
  }

  /** Ends a loan whose connection is not to be trusted any more. */
  void discard(Loan loan) {
    synchronized (this) {
      busy.remove(loan.connection);
    }
    end(loan.connection);
    slots.release();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Ends all connections, also those that are in use. */
  @Override
  public void close() {
    List<Connection> all = new ArrayList<>();
    synchronized (this) {
      closed = true;
      all.addAll(idle);
      all.addAll(busy);
      idle.clear();
    }
    all.forEach(Connections::end);
  }

  private static void end(Connection connection) {
    try {
      connection.abort(Runnable::run); // where a driver can, it waits for nobody
      connection.close();
    } catch (SQLException e) {
      System.getLogger(Connections.class.getName())
          .log(System.Logger.Level.DEBUG, "a connection did not end well", e);
    }
  }
}
