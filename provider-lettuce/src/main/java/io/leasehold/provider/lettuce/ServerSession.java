package io.leasehold.provider.lettuce;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A connection to one server, which Sentinel may have named. */
final class ServerSession extends Session {
  private final StatefulRedisConnection<byte[], byte[]> connection;
  private final String address;
  private final CompletableFuture<StatefulRedisConnection<byte[], byte[]>> owner;

  ServerSession(
      StatefulRedisConnection<byte[], byte[]> connection,
      String address,
      Consumer<Session> broken) {
    this.address = address;
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
  Map<String, CompletableFuture<StatefulRedisConnection<byte[], byte[]>>> primaries() {
    return Map.of(address, owner);
  }

  @Override
  StatefulConnection<byte[], byte[]> connection() {
    return connection;
  }
}
