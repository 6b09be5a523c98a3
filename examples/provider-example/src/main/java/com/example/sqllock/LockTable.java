package com.example.sqllock;

import io.leasehold.spi.ClientInfo;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The table, and the five statements that touch it. Each is a transaction of its own, so no client
 * ever has a row locked while it thinks, or is paused, or dies.
 *
 * <p>Whoever changes a row has read it before, and writes only if nobody has written since: the
 * version must be the same. A version is never used twice, also not when a row was forgotten and
 * made anew: it begins at the clock, and rows are not written a million times in a second.
 */
final class LockTable {
  /** A row, or the table itself, is there already: somebody else was faster. */
  private static final Set<String> DUPLICATE = Set.of("23505", "42P07", "42S01");

  private static final int AT_ONCE = 500;

  private final String create;
  private final String read;
  private final String insert;
  private final String write;
  private final String sweep;

  LockTable(Dialect dialect, String table) {
    String clock = dialect.clock();
    create =
        """
        CREATE TABLE IF NOT EXISTS %s (
          name VARCHAR PRIMARY KEY,
          version BIGINT NOT NULL,
          owner VARCHAR,
          ends BIGINT NOT NULL,
          client_id VARCHAR,
          client_name VARCHAR,
          client_host VARCHAR,
          client_process BIGINT,
          fence BIGINT NOT NULL,
          keep_until BIGINT NOT NULL,
          forced VARCHAR)"""
            .formatted(table);
    read =
        """
        SELECT %s AS clock, t.version, t.owner, t.ends, t.client_id, t.client_name,
          t.client_host, t.client_process, t.fence, t.keep_until, t.forced
        FROM (SELECT 1) AS one LEFT JOIN %s AS t ON t.name = ?"""
            .formatted(clock, table);
    insert =
        """
        INSERT INTO %s (name, version, ends, fence, keep_until)
        VALUES (?, %s, 0, 0, %s + 60000000)"""
            .formatted(table, clock, clock);
    write =
        """
        UPDATE %s SET version = version + 1, owner = ?, ends = ?, client_id = ?, client_name = ?,
          client_host = ?, client_process = ?, fence = ?, keep_until = ?, forced = ?
        WHERE name = ? AND version = ? AND %s <= ?"""
            .formatted(table, clock);
    sweep =
        """
        DELETE FROM %1$s WHERE keep_until < %2$s AND name IN (
          SELECT name FROM %1$s WHERE keep_until < %2$s LIMIT %3$d)"""
            .formatted(table, clock, AT_ONCE);
  }

  void create(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(create)) {
      statement.execute();
    } catch (SQLException e) {
      unlessDuplicate(e);
    }
  }

  private static void unlessDuplicate(SQLException e) throws SQLException {
    if (!DUPLICATE.contains(String.valueOf(e.getSQLState()))) {
      throw e;
    }
  }

  /** The row of a lock and the clock, also when there is no such row. */
  LockRow read(Connection connection, String name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(read)) {
      statement.setString(1, Escaped.of(name));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        long version = row.getLong("version");
        boolean absent = row.wasNull();
        return new LockRow(
            name,
            absent ? LockRow.ABSENT : version,
            row.getString("owner"),
            row.getLong("ends"),
            client(row),
            row.getLong("fence"),
            row.getLong("keep_until"),
            row.getString("forced"),
            row.getLong("clock"));
      }
    }
  }

  private static @Nullable ClientInfo client(ResultSet row) throws SQLException {
    String id = row.getString("client_id");
    return id == null
        ? null
        : new ClientInfo(
            id,
            Escaped.undone(row.getString("client_name")),
            row.getString("client_host"),
            row.getLong("client_process"));
  }

  /** Makes a row for a lock that nobody holds; somebody else may have been faster. */
  void insert(Connection connection, String name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      statement.setString(1, Escaped.of(name));
      statement.executeUpdate();
    } catch (SQLException e) {
      unlessDuplicate(e);
    }
  }

  /**
   * Writes a row in the place of the one from which it was made.
   *
   * @param latest a moment on the database's clock after which nothing shall be written
   * @return false when nothing was written: somebody else has, or it is too late
   */
  boolean write(Connection connection, LockRow row, long latest) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(write)) {
      ClientInfo client = row.client();
      statement.setString(1, row.owner());
      statement.setLong(2, row.ends());
      statement.setString(3, client == null ? null : client.id());
      statement.setString(4, client == null ? null : Escaped.of(client.name()));
      statement.setString(5, client == null ? null : client.host());
      statement.setLong(6, client == null ? 0 : client.process());
      statement.setLong(7, row.fence());
      statement.setLong(8, row.keepUntil());
      statement.setString(9, row.forced());
      statement.setString(10, Escaped.of(row.name()));
      statement.setLong(11, row.version());
      statement.setLong(12, latest);
      return statement.executeUpdate() == 1;
    }
  }

  /**
   * Forgets what nobody needs to know any more; names that were used once must not pile up. In
   * small steps: a long one would be cut off by the database's own timeout, and come to nothing.
   */
  void sweep(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sweep)) {
      while (statement.executeUpdate() == AT_ONCE) {
        // there is more
      }
    }
  }
}
