package com.example.sqllock;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** H2 in a process of its own, with its data in files. */
final class H2Server extends DatabaseServer {

  private H2Server() throws IOException {
    super("h2");
  }

  static DatabaseServer start() throws IOException {
    return new H2Server().started();
  }

  @Override
  List<String> command() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Dh2.delayWrongPasswordMin=0", // the kit tries wrong ones, and everybody's login waits
        "-cp",
        System.getProperty("java.class.path"),
        "org.h2.tools.Server",
        "-tcp",
        "-tcpPort",
        String.valueOf(port),
        "-baseDir",
        folder.toString(),
        "-ifNotExists");
  }

  /**
   * Every start begins with a connection by this URL, which has grants written at once and not half
   * a second later, and keeps the database open with that setting.
   */
  @Override
  String jdbcUrl() {
    return "jdbc:h2:tcp://127.0.0.1:" + port + "/./locks;WRITE_DELAY=0;DB_CLOSE_DELAY=-1";
  }

  @Override
  String cutting() {
    return "SELECT ABORT_SESSION(SESSION_ID) FROM INFORMATION_SCHEMA.SESSIONS"
        + " WHERE SESSION_ID <> SESSION_ID()";
  }
}
