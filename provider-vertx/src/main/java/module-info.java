/** Locks on Redis with the Vert.x Redis client. */
module io.leasehold.provider.vertx {
  requires transitive io.leasehold.redis;
  requires transitive io.vertx.core;
  requires transitive io.vertx.redis.client;
  requires static org.jspecify;

  exports io.leasehold.provider.vertx;

  provides io.leasehold.spi.LockProvider with
      io.leasehold.provider.vertx.VertxLockProvider;
}
