package com.example.sqllock;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs requests on connections, and asks again where that is sure to do no harm. Thread-safe. */
final class Database implements AutoCloseable {

  /** What is to be done; may be done again from the beginning, until it has written. */
  interface Work<R> {
    R on(Session session) throws SQLException;
  }

  private static final long SWEEP_MILLIS = 10_000;

  private final Connections connections;
  private final LockTable table;
  private final TimeSource time;
  private final long timeoutMillis;

  Database(Connections connections, LockTable table, TimeSource time, long timeoutMillis) {
    this.connections = connections;
    this.table = table;
    this.time = time;
    this.timeoutMillis = timeoutMillis;
  }

  /** The end of a request that begins now. */
  Deadline deadline() {
    return deadlineIn(timeoutMillis);
  }

  Deadline deadlineIn(long millis) {
    return Deadline.in(time, millis);
  }

  /** Does something until the deadline, or answers that it failed. */
  <R> R run(Work<? extends R> work, Deadline deadline, Function<Failed, ? extends R> failing) {
    while (true) {
      Connections.Loan loan;
      try {
        loan = connections.borrow(deadline.remainingNanos());
      } catch (SQLException e) {
        return failing.apply(failed(e, false));
      }
      Session session = new Session(table, loan.connection(), deadline);
      try {
        R reply = work.on(session);
        connections.keep(loan);
        return reply;
      } catch (SQLException e) {
        SQLException hindrance = hindrance(e, loan, session);
        if (hindrance != null || deadline.remainingNanos() <= 0) {
          SQLException why = hindrance != null ? hindrance : e;
          return failing.apply(failed(why, session.hasWritten()));
        }
      } catch (RuntimeException e) {
        connections.discard(loan); // a driver that breaks its contract shall not use up our slots
        throw e;
      }
    }
  }

  /** Ends the loan after a failure. What is to be told; null when another attempt may help. */
  private @Nullable SQLException hindrance(SQLException e, Connections.Loan loan, Session session) {
    if (Failures.isRace(e)) {
      connections.keep(loan);
      return null;
    }
    if (Failures.isMissingTable(e)) {
      return creating(loan);
    }
    connections.discard(loan);
    // One that was idle may have died long ago; only a new one tells whether there is a server.
    boolean stale = Failures.isConnection(e) && !loan.fresh() && !session.hasWritten();
    return stale ? null : e;
  }

  /**
   * There is no table yet, or somebody dropped it, or the database was restored without it. Tried
   * only then: "if not exists" takes the right to create tables also where there is one.
   */
  private @Nullable SQLException creating(Connections.Loan loan) {
    try {
      table.create(loan.connection());
      connections.keep(loan);
      return null;
    } catch (SQLException e) {
      connections.discard(loan);
      return e;
    }
  }

  private Failed failed(SQLException e, boolean written) {
    return connections.isClosed()
        ? new Failed(FailureKind.CLOSED, "the node has been closed")
        : Failures.answer(e, written);
  }

  /** Makes the first connection. */
  void connect() throws SQLException {
    once(connection -> {}, timeoutMillis);
  }

  void sweep() throws SQLException {
    once(table::sweep, SWEEP_MILLIS);
  }

  private interface Statement {
    void on(Connection connection) throws SQLException;
  }

  private void once(Statement statement, long millis) throws SQLException {
    Connections.Loan loan = connections.borrow(millis * 1_000_000);
    try {
      statement.on(loan.connection());
      connections.keep(loan);
    } catch (SQLException e) {
      connections.discard(loan);
      throw e;
    }
  }

  @Override
  public void close() {
    connections.close();
  }
}
