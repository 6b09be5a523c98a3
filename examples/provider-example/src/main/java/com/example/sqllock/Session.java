package com.example.sqllock;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;

/** One request's use of one connection, until its deadline. */
final class Session {
  private final LockTable table;
  private final Connection connection;
  private final Deadline deadline;
  private boolean written;

  Session(LockTable table, Connection connection, Deadline deadline) {
    this.table = table;
    this.connection = connection;
    this.deadline = deadline;
  }

  LockRow read(String name) throws SQLException {
    ensureTime();
    return table.read(connection, name);
  }

  /** As {@link #read}, but there is a row. */
  LockRow readOrInsert(String name) throws SQLException {
    LockRow row = read(name);
    while (row.isAbsent()) {
      table.insert(connection, name);
      row = read(name);
    }
    return row;
  }

  /**
   * Writes a row in the place of the one from which it was made, if nobody else has written since.
   *
   * @param latest a moment on the database's clock; neither after it nor after this request's
   *     deadline is anything written, so that nothing happens when nobody waits for it any more
   */
  boolean write(LockRow row, long latest) throws SQLException {
    long remaining = ensureTime() / 1_000;
    written = true;
    return table.write(connection, row, Math.min(latest, row.now() + remaining));
  }

  /** Whether a change was sent. */
  boolean hasWritten() {
    return written;
  }

  private long ensureTime() throws SQLException {
    long remaining = deadline.remainingNanos();
    if (remaining <= 0) {
      throw new SQLTimeoutException("the time of the request is over");
    }
    return remaining;
  }
}
