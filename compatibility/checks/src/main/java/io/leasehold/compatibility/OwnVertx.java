package io.leasehold.compatibility;

import io.leasehold.Locks;
import io.leasehold.LocksBuilder;
import io.leasehold.provider.vertx.VertxLockProvider;
import io.vertx.core.Vertx;
import io.vertx.redis.client.RedisOptions;

/** The Vert.x that an application runs on. */
final class OwnVertx implements OwnClient {
  private final Vertx vertx = Vertx.vertx();
  private final RedisOptions server;

  OwnVertx(int port) {
    server = new RedisOptions().setConnectionString("redis://127.0.0.1:" + port);
  }

  @Override
  public LocksBuilder locks() {
    return Locks.builder().provider(VertxLockProvider.using(vertx, server));
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
