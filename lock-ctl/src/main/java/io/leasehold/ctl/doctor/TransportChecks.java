package io.leasehold.ctl.doctor;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;

/** Who can read along. */
final class TransportChecks {
  private TransportChecks() {}

  static Finding of(Endpoint server, ConnectionSettings settings, LockUrl url) {
    if (settings.tls().isPresent()) {
      return url.get(Options.TLS_VERIFY) == Options.TlsVerify.OFF
          ? Finding.warn(
              Check.TLS,
              "encrypted, but whoever sits on the wire may be the server (tlsVerify=off)",
              "tlsVerify=full, with the authority in tlsCa if it is one of your own")
          : Finding.ok(Check.TLS, "encrypted, and the server is verified");
    }
    if (TogetherChecks.isLoopback(server.host())) {
      return Finding.ok(Check.TLS, "not encrypted, on this machine");
    }
    return settings.password().isPresent()
        ? Finding.warn(
            Check.TLS,
            "the password goes over the network in the clear",
            "TLS on the server, and " + secured(url.scheme()) + ":// in the URL")
        : Finding.warn(
            Check.TLS,
            "neither password nor encryption: whoever reaches the server can delete locks",
            "a user with a password, TLS on the server, and "
                + secured(url.scheme())
                + ":// in the URL");
  }

  /** What may help where nobody answers: a server that speaks TLS is silent to who does not. */
  static String remedy(ConnectionSettings settings, LockUrl url) {
    return "start it, correct the address, let this machine through to it, or "
        + (settings.tls().isPresent()
            ? "mend TLS: tlsCa must name the authority of its certificate, which must be for this"
                + " host"
            : "say " + secured(url.scheme()) + ":// if it speaks TLS");
  }

  private static String secured(String scheme) {
    return scheme.replaceFirst("^redis\\b", "rediss");
  }
}
