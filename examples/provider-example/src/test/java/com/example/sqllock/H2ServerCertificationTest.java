package com.example.sqllock;

import io.leasehold.tck.LockProviderTck;
import io.leasehold.tck.Subject;
import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;

/** With kill -9, restart, SIGSTOP, cut connections and a lost table, on a server of H2's. */
@Tag("full")
class H2ServerCertificationTest extends LockProviderTck {

  @Override
  protected Subject subject() {
    try {
      return ServerSubject.of(
          "example-sql-h2-server",
          H2Server.start(),
          "h2",
          "./locks",
          "CREATE USER guest PASSWORD '" + DatabaseServer.PASSWORD + "'");
    } catch (IOException | SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
