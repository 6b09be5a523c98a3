package io.leasehold.provider.lettuce;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** A connection of Lettuce: to one server, or to the nodes of a cluster. */
abstract class Session {
  /** How many replies have come: a session that answers nothing for a timeout is given up. */
  final AtomicLong replies = new AtomicLong();

  /** The connection to the server that owns a key. */
  abstract CompletableFuture<StatefulRedisConnection<byte[], byte[]>> owner(byte[] key);

  /** The connection to a node that a redirection names. */
  abstract CompletableFuture<StatefulRedisConnection<byte[], byte[]>> node(String host, int port);

  /** The connections to all primaries, by address. */
  abstract Map<String, CompletableFuture<StatefulRedisConnection<byte[], byte[]>>> primaries();

  /** What Lettuce made. */
  abstract StatefulConnection<byte[], byte[]> connection();

  /** Closes it; pending commands fail. Does not wait. */
  final CompletionStage<Void> close() {
    return connection().closeAsync();
  }
}
