package com.example.sqllock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** PostgreSQL in processes of its own, from the programs in a folder. */
final class PostgresServer extends DatabaseServer {
  private final Path programs;

  private PostgresServer(Path programs) throws IOException {
    super("postgres");
    this.programs = programs;
  }

  static DatabaseServer start(Path programs) throws IOException {
    PostgresServer server = new PostgresServer(programs);
    Path password = Files.writeString(server.folder.resolve("password"), PASSWORD);
    if (isRoot()) {
      Commands.run(server.folder, List.of("chown", "-R", "postgres", server.folder.toString()));
    }
    Commands.run(
        server.folder,
        server.asNobody(
            "initdb",
            "-D",
            "data",
            "-U",
            "sa",
            "-A",
            "scram-sha-256",
            "-E",
            "UTF8",
            "--pwfile",
            password.toString()));
    return server.started();
  }

  /** PostgreSQL does not run as root. */
  private List<String> asNobody(String program, String... arguments) {
    Stream<String> before =
        isRoot()
            ? Stream.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--")
            : Stream.of();
    Stream<String> command = Stream.of(programs.resolve(program).toString());
    return Stream.of(before, command, Stream.of(arguments)).flatMap(part -> part).toList();
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  @Override
  List<String> command() {
    return asNobody(
        "postgres", "-D", "data", "-h", "127.0.0.1", "-p", String.valueOf(port), "-k", "");
  }

  @Override
  String jdbcUrl() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }

  @Override
  String cutting() {
    return "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        + " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
  }
}
