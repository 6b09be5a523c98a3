package com.example.sqllock;

import java.util.Locale;
import java.util.Properties;

/** The databases that this provider knows, and what differs between them. */
enum Dialect {
  /** H2 inside this JVM, in memory: for tests, and for trying things out. */
  H2MEM("CURRENT_TIMESTAMP"),
  /** H2 in a server of its own. */
  H2("CURRENT_TIMESTAMP"),
  /** PostgreSQL, whose CURRENT_TIMESTAMP is that of the transaction's beginning. */
  POSTGRESQL("clock_timestamp()");

  private final String timestamp;

  Dialect(String timestamp) {
    this.timestamp = timestamp;
  }

  static Dialect of(String scheme) {
    return valueOf(scheme.toUpperCase(Locale.ROOT));
  }

  String scheme() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The database's clock, in microseconds since 1970. */
  String clock() {
    return "CAST(EXTRACT(EPOCH FROM " + timestamp + ") * 1000000 AS BIGINT)";
  }

  /**
   * The JDBC URL. It has neither user nor password in it: drivers put URLs into their messages.
   *
   * @param address host and port, or the name of a database in memory
   * @param database empty for one in memory
   * @param connectMillis how long a connection may take to be made
   * @param statementMillis after which a statement is given up
   */
  String jdbcUrl(String address, String database, long connectMillis, long statementMillis) {
    return switch (this) {
      case H2MEM -> "jdbc:h2:mem:" + address + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=" + statementMillis;
      // One timeout for the login and for every answer; H2 ignores what JDBC has for it.
      case H2 ->
          "jdbc:h2:tcp://%s/%s;NETWORK_TIMEOUT=%d;LOCK_TIMEOUT=%d"
              .formatted(
                  address, database, Math.max(connectMillis, statementMillis), statementMillis);
      case POSTGRESQL -> "jdbc:postgresql://" + address + "/" + database;
    };
  }

  /** What else the driver is told, beside user and password. */
  Properties properties(String clientName, long connectMillis, long statementMillis) {
    Properties properties = new Properties();
    if (this == POSTGRESQL) {
      String connectSeconds = String.valueOf(seconds(connectMillis));
      properties.setProperty("connectTimeout", connectSeconds);
      properties.setProperty("loginTimeout", connectSeconds);
      properties.setProperty("socketTimeout", String.valueOf(seconds(statementMillis)));
      properties.setProperty("tcpKeepAlive", "true");
      properties.setProperty("targetServerType", "primary"); // what a standby says is late
      properties.setProperty("options", "-c statement_timeout=" + statementMillis);
      properties.setProperty("ApplicationName", clientName.isEmpty() ? "leasehold" : clientName);
    }
    return properties;
  }

  private static long seconds(long millis) {
    return (millis + 999) / 1_000;
  }
}
