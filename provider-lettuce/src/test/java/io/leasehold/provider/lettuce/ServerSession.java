package io.leasehold.provider.lettuce;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A connection to one server, which Sentinel may have named. */
final class ServerSession extends Session {
  private final StatefulRedisConnection<byte[], byte[]> connection;
  private final CompletableFuture<StatefulRedisConnection<byte[], byte[]>> owner;

  ServerSession(StatefulRedisConnection<byte[], byte[]> connection, Consumer<Session> broken) {
    this.connection = connection;
    this.owner = CompletableFuture.completedFuture(connection);
    Broken.tell(connection, () -> broken.accept(this));
  }

  @Override
  CompletableFuture<StatefulRedisConnection<byte[], byte[]>> owner(byte[] key) {
    return owner;
  }

  @Override
  CompletableFuture<StatefulRedisConnection<byte[], byte[]>> node(String host, int port) {
    return owner;
  }

  @Override
  List<CompletableFuture<StatefulRedisConnection<byte[], byte[]>>> primaries() {
    return List.of(owner);
  }

  @Override
  StatefulConnection<byte[], byte[]> connection() {
    return connection;
  }
}
