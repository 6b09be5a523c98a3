package com.example.sqllock;

import io.leasehold.LockClient;
import io.leasehold.tck.Faults;
import io.leasehold.tck.Offer;
import io.leasehold.tck.Subject;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A server of its own for the kit to break, and a login that may do with the table what a lock
 * takes, and nothing else.
 */
record ServerSubject(String name, DatabaseServer server, String scheme, String database)
    implements Subject {

  /** A server that was started just now has not compiled anything yet. */
  private static final int WARM = 300;

  static ServerSubject of(
      String name, DatabaseServer server, String scheme, String database, String guest)
      throws SQLException, InterruptedException {
    ServerSubject subject = new ServerSubject(name, server, scheme, database);
    try (LockClient client = subject.builder().open()) { // which creates the table
      for (int i = 0; i < WARM; i++) {
        client.lock("warm-up").acquire(Duration.ofSeconds(20)).release();
      }
    }
    server.run(guest, "GRANT SELECT, INSERT, UPDATE, DELETE ON leasehold_lock TO guest");
    return subject;
  }

  @Override
  public String url() {
    return url("sa");
  }

  private String url(String user) {
    return "lock:%s://%s:%s@127.0.0.1:%d?sql.database=%s&commandTimeout=2s"
        .formatted(scheme, user, DatabaseServer.PASSWORD, server.port, database);
  }

  @Override
  public Duration tolerance() {
    return Duration.ofSeconds(3);
  }

  @Override
  public Offer<Faults> faults() {
    return Offer.of(server);
  }

  @Override
  public Offer<String> restrictedUrl() {
    return Offer.of(url("guest"));
  }
}
