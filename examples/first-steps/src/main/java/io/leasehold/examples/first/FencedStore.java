package io.leasehold.examples.first;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockOptions;
import io.leasehold.Locks;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A holder that sleeps through the end of its lease, and a table that refuses its late write,
 * because it has seen a later token.
 */
public final class FencedStore {
  private FencedStore() {}

  /** Takes a lock URL, or nothing. */
  public static void main(String[] args) throws InterruptedException, SQLException {
    // Not renewed, so that it ends while the first holder sleeps.
    LockOptions brief =
        LockOptions.defaults().withLeaseTime(Duration.ofMillis(300)).withoutRenewal();
    try (Place place = Place.of(args);
        LockClient locks = Locks.open(place.url());
        LockClient elsewhere = Locks.open(place.url());
        Account account = Account.with(100)) {

      Lease sleepy = locks.lock("account:7", brief).acquire(Duration.ofSeconds(5));
      System.out.println("first claims: " + account.claim(sleepy.fencingToken()));
      long read = account.balance();
      Thread.sleep(600); // a long pause, past the end of the lease

      try (Lease next = elsewhere.lock("account:7", brief).acquire(Duration.ofSeconds(5))) {
        System.out.println("second claims: " + account.claim(next.fencingToken()));
        System.out.println(
            "second writes: " + account.write(account.balance() + 50, next.fencingToken()));
      }

      System.out.println("first still holds: " + sleepy.isHeld());
      System.out.println("first writes late: " + account.write(read + 1, sleepy.fencingToken()));
      System.out.println("balance: " + account.balance());
      sleepy.close();
    }
  }

  /** One row, whose fence is the largest token that it has seen. */
  private static final class Account implements AutoCloseable {
    private final Connection connection;

    private Account(Connection connection) {
      this.connection = connection;
    }

    static Account with(long balance) throws SQLException {
      Account account = new Account(DriverManager.getConnection("jdbc:h2:mem:fenced"));
      account.update("CREATE TABLE account(balance BIGINT, fence BIGINT)");
      account.update("INSERT INTO account VALUES (?, 0)", balance);
      return account;
    }

    /** Before reading: from here on, nothing of an earlier holder comes in between. */
    boolean claim(long token) throws SQLException {
      return update("UPDATE account SET fence = ? WHERE fence <= ?", token, token) == 1;
    }

    long balance() throws SQLException {
      try (PreparedStatement query = connection.prepareStatement("SELECT balance FROM account");
          ResultSet rows = query.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    }

    /** Compares and writes in one step. */
    boolean write(long balance, long token) throws SQLException {
      return update("UPDATE account SET balance = ? WHERE fence = ?", balance, token) == 1;
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
}
