package io.leasehold.provider.jedis.port;

import java.util.List;
import java.util.Optional;
import redis.clients.jedis.HostAndPort;

/** The servers of one topology. Only {@link #refresh} and {@link #close} may block. */
interface Servers extends AutoCloseable {

  /** The server that owns a key, as far as the driver knows. */
  Node owner(byte[] key);

  /** The server that a redirection names; empty where redirections are not followed. */
  default Optional<Node> at(HostAndPort address) {
    return Optional.empty();
  }

  default List<Node> primaries() {
    return List.of(owner(new byte[0]));
  }

  /** What is known about the topology; equal as long as it has not changed. */
  default Object topology() {
    return "";
  }

  /**
   * Makes the driver look again which servers there are, after a failure or a redirection.
   *
   * @param key one that was concerned
   */
  default void refresh(byte[] key) {}

  @Override
  default void close() {}
}
