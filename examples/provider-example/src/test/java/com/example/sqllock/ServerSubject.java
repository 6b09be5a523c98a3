package com.example.sqllock;

import io.leasehold.tck.Faults;
import io.leasehold.tck.Offer;
import io.leasehold.tck.StoredEntries;
import io.leasehold.tck.Subject;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A server of its own for the kit to break, and a login that may do with the table what a lock
 * takes, and nothing else.
 */
record ServerSubject(String name, DatabaseServer server, String scheme, String database)
    implements Subject {

  static ServerSubject of(
      String name, DatabaseServer server, String scheme, String database, String guest)
      throws SQLException {
    ServerSubject subject = new ServerSubject(name, server, scheme, database);
    subject.builder().open().close(); // which creates the table
    server.run(guest, "GRANT SELECT, INSERT, UPDATE, DELETE ON leasehold_lock TO guest");
    return subject;
  }

  @Override
  public String url() {
    return url("sa");
  }

  private String url(String user) {
    return "lock:%s://%s:%s@127.0.0.1:%d?sql.database=%s&sql.sweep=1s&commandTimeout=2s"
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
  public Offer<StoredEntries> storedEntries() {
    return Offer.of(text -> server.rows("leasehold_lock", text));
  }

  @Override
  public Offer<String> restrictedUrl() {
    return Offer.of(url("guest"));
  }
}
