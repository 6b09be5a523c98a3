package com.example.sqllock;

import io.leasehold.tck.Faults;
import io.leasehold.tck.ProcessFaults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A database in a process of its own, on a free port of this machine, and what can happen to it.
 * Ends with the test run.
 */
abstract class DatabaseServer implements Faults, AutoCloseable {
  static final String PASSWORD = "s3cret-of-the-test";

  final Path folder;
  final int port;
  private @Nullable Process process;

  DatabaseServer(String name) throws IOException {
    folder = Files.createTempDirectory("leasehold-" + name);
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  abstract List<String> command();

  abstract String jdbcUrl();

  /** Ends every connection but the one that says so. */
  abstract String cutting();

  final DatabaseServer started() {
    try {
      process =
          new ProcessBuilder(command())
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("log").toFile())
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Awaitility.await("the database answers")
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .untilAsserted(() -> run("SELECT 1"));
    return this;
  }

  /** Runs statements as the database's administrator. */
  final void run(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(jdbcUrl(), "sa", PASSWORD);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private void doing(String... statements) {
    try {
      run(statements);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How many rows a table has whose name contains a text of letters, digits and dashes. */
  final long rows(String table, String text) {
    try (Connection connection = DriverManager.getConnection(jdbcUrl(), "sa", PASSWORD);
        Statement statement = connection.createStatement();
        ResultSet count =
            statement.executeQuery(
                "SELECT COUNT(*) FROM " + table + " WHERE name LIKE '%" + text + "%'")) {
      count.next();
      return count.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public final void kill() {
    processes().ifPresent(ProcessFaults::kill);
  }

  @Override
  public final void restart() {
    kill();
    started();
  }

  @Override
  public final void pause() {
    processes().ifPresent(ProcessFaults::stop);
  }

  @Override
  public final void resume() {
    processes().ifPresent(ProcessFaults::resume);
  }

  @Override
  public final void cut() {
    doing(cutting());
  }

  @Override
  public final void loseState() {
    doing("DROP TABLE leasehold_lock");
  }

  /** The server and its children. */
  private Optional<ProcessFaults> processes() {
    return Optional.ofNullable(process).map(Process::toHandle).map(ProcessFaults::of);
  }

  @Override
  public final void close() {
    kill();
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
