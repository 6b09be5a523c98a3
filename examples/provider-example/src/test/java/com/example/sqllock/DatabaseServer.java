package com.example.sqllock;

import io.leasehold.tck.Faults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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

  @Override
  public final void kill() {
    List<ProcessHandle> all = processes();
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(each -> each.onExit().join());
  }

  @Override
  public final void restart() {
    kill();
    started();
  }

  @Override
  public final void pause() {
    signal("STOP");
  }

  @Override
  public final void resume() {
    signal("CONT");
  }

  @Override
  public final void cut() {
    doing(cutting());
  }

  @Override
  public final void loseState() {
    doing("DROP TABLE leasehold_lock");
  }

  /** The server and its children, the server first: it must not make new ones meanwhile. */
  private List<ProcessHandle> processes() {
    Process server = process;
    return server == null
        ? List.of()
        : Stream.concat(Stream.of(server.toHandle()), server.descendants()).toList();
  }

  private void signal(String name) {
    List<String> command = new ArrayList<>(List.of("kill", "-" + name));
    processes().forEach(each -> command.add(String.valueOf(each.pid())));
    Commands.run(folder, command);
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
