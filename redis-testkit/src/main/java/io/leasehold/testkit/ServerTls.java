package io.leasehold.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * How a server proves who it is, and whether its clients must do so too. All certificates are of
 * {@link TestCertificates}.
 */
public record ServerTls(TestCertificates.Identity identity, Clients clients) {

  /** What a client must show. */
  public enum Clients {
    /** Nothing. */
    ANYBODY,
    /** A certificate of the same authority: mutual TLS. */
    CERTIFIED
  }

  /** A server with the right name, for any client. */
  public static ServerTls oneWay() {
    return new ServerTls(TestCertificates.get().server(), Clients.ANYBODY);
  }

  /** A server with the right name, for clients with a certificate. */
  public static ServerTls mutual() {
    return new ServerTls(TestCertificates.get().server(), Clients.CERTIFIED);
  }

  /** A server whose certificate is of the right authority and for another host. */
  public static ServerTls wrongHost() {
    return new ServerTls(TestCertificates.get().wrongHost(), Clients.ANYBODY);
  }

  /** The configuration of a server that speaks nothing but TLS, at this port, also to its peers. */
  List<String> config(int port) {
    List<String> lines = new ArrayList<>();
    lines.add("port 0");
    lines.add("tls-port " + port);
    lines.add("tls-cert-file " + RedisSettings.quoted(identity.certificate().toString()));
    lines.add("tls-key-file " + RedisSettings.quoted(identity.key().toString()));
    lines.add("tls-ca-cert-file " + RedisSettings.quoted(TestCertificates.get().ca().toString()));
    lines.add("tls-auth-clients " + (clients == Clients.CERTIFIED ? "yes" : "no"));
    lines.add("tls-replication yes");
    lines.add("tls-cluster yes");
    return lines;
  }
}
