package com.example.sqllock;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.ClientInfo;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The five statements, one by one; what comes between them is what the kit cannot arrange. */
class LockTableTest {
  private static final ClientInfo SOMEBODY = new ClientInfo("id", "na\\me\0", "host", 42);
  private static final long RETENTION = 60_000;
  private static final long ANY_TIME = Long.MAX_VALUE;

  private final LockTable table = new LockTable(Dialect.H2MEM, "leasehold_lock");
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection("jdbc:h2:mem:" + UUID.randomUUID());
    table.create(connection);
  }

  @AfterEach
  void disconnect() throws SQLException {
    connection.close();
  }

  private LockRow inserted(String name) throws SQLException {
    table.insert(connection, name);
    return table.read(connection, name);
  }

  private void run(int rows, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql)).isEqualTo(rows);
    }
  }

  private static LockRow granted(LockRow row, String owner) {
    return row.granted(owner, SOMEBODY, 3_600_000, row.nextToken(0), RETENTION);
  }

  @Test
  void whatWasWrittenIsRead() throws SQLException {
    LockRow row = granted(inserted("a\0b\\0"), "owner");
    assertThat(table.write(connection, row, ANY_TIME)).isTrue();
    LockRow read = table.read(connection, "a\0b\\0");
    assertThat(read.isHeldBy("owner")).isTrue();
    assertThat(read.client()).isEqualTo(SOMEBODY);
    assertThat(read.fence()).isEqualTo(row.fence());
    assertThat(table.read(connection, "a\\0b\\0").isAbsent()).isTrue();
  }

  @Test
  void whoReadBeforeSomebodyElseWroteWritesNothing() throws SQLException {
    LockRow row = inserted("a");
    assertThat(table.write(connection, granted(row, "first"), ANY_TIME)).isTrue();
    assertThat(table.write(connection, granted(row, "second"), ANY_TIME)).isFalse();
    assertThat(table.read(connection, "a").isHeldBy("first")).isTrue();
  }

  @Test
  void whoReadARowThatWasForgottenMeanwhileDoesNotWriteTheNextOfItsName() throws SQLException {
    LockRow slow = inserted("a");
    LockRow over = new LockRow("a", slow.version(), null, 0, null, slow.now(), 0, null, slow.now());
    assertThat(table.write(connection, over, ANY_TIME)).isTrue();
    table.sweep(connection);
    assertThat(table.read(connection, "a").isAbsent()).isTrue();
    LockRow anew = inserted("a");
    assertThat(anew.version()).isGreaterThan(slow.version() + 1);
    assertThat(table.write(connection, granted(slow, "slow"), ANY_TIME)).isFalse();
  }

  @Test
  void nothingIsWrittenTooLate() throws SQLException {
    LockRow row = inserted("a");
    assertThat(table.write(connection, granted(row, "late"), row.now() - 1)).isFalse();
    assertThat(table.read(connection, "a").isHeld()).isFalse();
  }

  @Test
  void sweepingForgetsWhatIsOverAndNothingElse() throws SQLException {
    LockRow held = granted(inserted("held"), "owner");
    table.write(connection, held, ANY_TIME);
    LockRow fenced = granted(inserted("fenced"), "owner").released();
    table.write(connection, fenced, ANY_TIME);
    run(
        1_200,
        "INSERT INTO leasehold_lock (name, version, ends, fence, keep_until)"
            + " SELECT 'old' || x, 0, 0, 7, 0 FROM SYSTEM_RANGE(1, 1200)");
    table.sweep(connection);
    assertThat(table.read(connection, "held").isHeldBy("owner")).isTrue();
    assertThat(table.read(connection, "fenced").fence()).isEqualTo(fenced.fence());
    run(0, "DELETE FROM leasehold_lock WHERE name LIKE 'old%'");
  }

  @Test
  void twoMayMakeTheSameRowAndTheSameTable() throws SQLException {
    LockRow row = inserted("a");
    table.insert(connection, "a");
    table.create(connection);
    assertThat(table.read(connection, "a").version()).isEqualTo(row.version());
  }
}
