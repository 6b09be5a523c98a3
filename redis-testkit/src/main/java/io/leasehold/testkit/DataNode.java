package io.leasehold.testkit;

import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * A server that is master or replica in turn, and the wires that a test may break.
 *
 * @param front what others know the server by, if that is not its own address
 * @param link the way to the server's master while it is a replica, if that is not the direct one
 */
record DataNode(RedisServer server, Optional<FaultyProxy> front, Optional<FaultyProxy> link) {

  /** The port that replicas, sentinels and the clients that ask them are told. */
  int knownPort() {
    return front.map(FaultyProxy::port).orElseGet(server::port);
  }

  InetSocketAddress known() {
    return new InetSocketAddress(server.host(), knownPort());
  }
}
