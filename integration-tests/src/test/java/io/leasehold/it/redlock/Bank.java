package io.leasehold.it.redlock;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** An account in a database, and two ways to change it: with fencing tokens and without. */
final class Bank implements AutoCloseable {
  private static final int ACCOUNT = 42;

  private final Connection connection;

  private Bank(Connection connection) {
    this.connection = connection;
  }

  static Bank connect(String url) throws SQLException {
    return new Bank(DriverManager.getConnection(url, "sa", ""));
  }

  void open(long balance) throws SQLException {
    update("CREATE TABLE account(id INT PRIMARY KEY, balance BIGINT, fence BIGINT)");
    update("INSERT INTO account VALUES (?, ?, 0)", ACCOUNT, balance);
  }

  /**
   * A new holder writes its token before it reads: from then on nothing of an earlier holder can
   * come between its reading and its writing.
   */
  boolean claim(long token) throws SQLException {
    return update("UPDATE account SET fence = ? WHERE id = ? AND fence <= ?", token, ACCOUNT, token)
        == 1;
  }

  long balance() throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("SELECT balance FROM account WHERE id = ?")) {
      query.setLong(1, ACCOUNT);
      try (ResultSet rows = query.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    }
  }

  /** Compares the token and writes in one step; false when a later holder was here. */
  boolean write(long balance, long token) throws SQLException {
    return update(
            "UPDATE account SET balance = ?, fence = ? WHERE id = ? AND fence <= ?",
            balance,
            token,
            ACCOUNT,
            token)
        == 1;
  }

  boolean writeWithoutToken(long balance) throws SQLException {
    return update("UPDATE account SET balance = ? WHERE id = ?", balance, ACCOUNT) == 1;
  }

  private int update(String sql, long... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setLong(i + 1, values[i]);
      }
      return statement.executeUpdate();
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
