package com.example.sqllock;

import io.leasehold.tck.LockProviderTck;
import io.leasehold.tck.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The same on PostgreSQL, where its programs are given: {@code /usr/lib/postgresql/15/bin}. */
@EnabledIfEnvironmentVariable(named = "LEASEHOLD_EXAMPLE_POSTGRES_BIN", matches = ".+")
class PostgresServerCertificationTest extends LockProviderTck {

  @Override
  protected Subject subject() {
    try {
      return ServerSubject.of(
          "example-sql-postgres",
          PostgresServer.start(Path.of(System.getenv("LEASEHOLD_EXAMPLE_POSTGRES_BIN"))),
          "postgresql",
          "postgres",
          "CREATE USER guest PASSWORD '" + DatabaseServer.PASSWORD + "'");
    } catch (IOException | SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
