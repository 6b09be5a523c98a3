package io.leasehold.spi;

import java.util.OptionalInt;

/**
 * An address of a server, or a name where no server is meant ({@code mem://name}).
 *
 * @param host a host name, an IPv4 address, or an IPv6 address without its brackets
 * @param port the port, if the URL gives one
 */
public record HostAndPort(String host, OptionalInt port) {

  /**
   * Reads {@code host}, {@code host:port} or {@code [address]:port}.
   *
   * @throws InvalidConfigurationException when it is none of them
   */
  public static HostAndPort parse(String text) {
    return LockUrlParser.host(text, 1);
  }

  /** The port, or a default. */
  public int portOr(int defaultPort) {
    return port.orElse(defaultPort);
  }

  @Override
  public String toString() {
    String shown = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return port.isPresent() ? shown + ":" + port.getAsInt() : shown;
  }
}
