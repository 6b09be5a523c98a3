package io.leasehold.redis;

/**
 * Where a server listens.
 *
 * @param host a name or an address; an IPv6 address without brackets
 * @param port its port
 * @param kind what listens there
 */
public record Endpoint(String host, int port, Kind kind) {

  /** What listens at an endpoint. */
  public enum Kind {
    /** A server that keeps data: log in, select the database, set the client's name. */
    DATA,
    /** A sentinel: connect, and nothing else. It has neither databases nor, usually, users. */
    SENTINEL
  }

  /** A server that keeps data. */
  public static Endpoint data(String host, int port) {
    return new Endpoint(host, port, Kind.DATA);
  }

  /** A sentinel. */
  public static Endpoint sentinel(String host, int port) {
    return new Endpoint(host, port, Kind.SENTINEL);
  }

  /** Host and port, as they are written in a URL. */
  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
