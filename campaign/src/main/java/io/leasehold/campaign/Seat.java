package io.leasehold.campaign;

import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import java.util.Optional;

/**
 * A server with its name in results, and the proxy through which clients come, if there is one.
 *
 * @param name for example {@code server-2}
 * @param server the server
 * @param proxy empty when clients come to it directly
 */
record Seat(String name, RedisServer server, Optional<FaultyProxy> proxy) {

  FaultyProxy wire() {
    return proxy.orElseThrow(() -> new IllegalStateException(name + " has no proxy"));
  }
}
