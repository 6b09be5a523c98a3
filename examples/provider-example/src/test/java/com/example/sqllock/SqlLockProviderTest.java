package com.example.sqllock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockCapabilityException;
import io.leasehold.LockClient;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.spi.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the kit cannot know: this provider's own options, its table, its database. */
class SqlLockProviderTest {
  private final String database = "test-" + UUID.randomUUID();

  private void sql(String... statements) throws SQLException {
    String url = "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1";
    try (Connection connection = DriverManager.getConnection(url, "sa", "pw");
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  private LockClient open(String login) {
    return Locks.open("lock:h2mem://" + login + "@" + database);
  }

  @ParameterizedTest
  @CsvSource({
    "h2mem://x?sql.table=a%3BDROP%20TABLE%20b, BAD_VALUE, sql.table",
    "h2mem://x?sql.table=, BAD_VALUE, sql.table",
    "h2mem://x?sql.database=y, BAD_VALUE, sql.database",
    "h2mem://x?sql.connections=0, BAD_VALUE, sql.connections",
    "h2mem://x:1, UNSUPPORTED, host",
    "h2://x, BAD_VALUE, sql.database",
    "h2://x?sql.database=y%3BINIT%3DRUNSCRIPT, BAD_VALUE, sql.database",
    "postgresql://x?sql.database=y%3FsocketFactory%3Dz, BAD_VALUE, sql.database",
    "postgresql://x/3?sql.database=y, UNSUPPORTED, host",
    "postgresql://x;y?sql.database=y, MALFORMED_URL, host",
    "'postgresql://x,y?sql.database=y', UNSUPPORTED, host"
  })
  void whatCannotBeMeantIsRefused(String url, ErrorCode code, String key) {
    assertThatThrownBy(() -> Locks.open("lock:" + url))
        .isInstanceOfSatisfying(
            LockConfigurationException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.key()).isEqualTo(key);
              assertThat(e.getMessage()).doesNotContain("DROP", "INIT", "socketFactory");
            });
  }

  @Test
  void aWrongPasswordIsToldAndNotShown() throws SQLException {
    sql("SELECT 1");
    assertThatThrownBy(() -> open("sa:0penSesame"))
        .isInstanceOf(LockUnavailableException.class)
        .hasMessageContaining("NOT_AUTHENTICATED")
        .hasStackTraceContaining("28000")
        .satisfies(e -> assertThat(e.toString()).doesNotContain("0penSesame"));
  }

  @Test
  void whoMayNotMakeTheTableIsToldSo() throws SQLException {
    sql("CREATE USER guest PASSWORD 'pw'");
    Server server = Server.createTcpServer("-tcpPort", "0").start();
    try {
      String url =
          "lock:h2://guest:pw@127.0.0.1:" + server.getPort() + "?sql.database=mem:" + database;
      assertThatThrownBy(() -> Locks.open(url))
          .isInstanceOf(LockUnavailableException.class)
          .hasMessageContaining("NO_PERMISSION")
          .hasMessageContaining("the login may not use, or not create, the table");
    } finally {
      server.stop();
    }
  }

  @Test
  void aTableOfSomethingElseIsNotTouched() throws SQLException {
    sql("CREATE TABLE leasehold_lock (name VARCHAR, pages INT)");
    assertThatThrownBy(() -> open("sa:pw"))
        .isInstanceOf(LockUnavailableException.class)
        .hasMessageContaining("WRONG_TYPE");
    sql("SELECT pages FROM leasehold_lock");
  }

  @Test
  void aTableThatWasDroppedIsMadeAgain() throws SQLException {
    try (LockClient client = open("sa:pw")) {
      assertThat(client.lock("a").tryAcquire()).isPresent();
      sql("DROP TABLE leasehold_lock");
      assertThat(client.lock("b").tryAcquire()).isPresent();
    }
  }

  @Test
  void whoWantsAListIsToldWhereToFindIt() {
    try (LockClient client = open("sa:pw")) {
      assertThatThrownBy(() -> client.list("*", 10))
          .isInstanceOf(LockCapabilityException.class)
          .hasMessageContaining("it is one SELECT");
    }
  }

  @Test
  void severalLocksAreTakenOneByOne() {
    try (LockClient one = open("sa:pw");
        LockClient other = open("sa:pw")) {
      assertThat(one.all("a", "b").tryAcquire()).isPresent();
      assertThat(other.all("b", "c").tryAcquire()).isEmpty();
      assertThat(other.lock("c").tryAcquire()).isPresent();
    }
  }

  @Test
  void twoClientsTakeTurns() throws InterruptedException {
    assertThat(Demo.run("lock:h2mem://" + database, 2, 25)).isEqualTo(50);
  }

  @Test
  void theCertificationTakesFewerThan30Lines() throws IOException {
    for (String file : new String[] {"SqlCertificationTest", "PostgresCertificationTest"}) {
      Path source = Path.of("src/test/java/com/example/sqllock", file + ".java");
      assertThat(Files.readAllLines(source)).as(file).hasSizeLessThan(30);
    }
  }
}
