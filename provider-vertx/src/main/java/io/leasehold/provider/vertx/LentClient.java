package io.leasehold.provider.vertx;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisDriver;
import io.leasehold.redis.RedisLockProvider;
import io.leasehold.redis.RedisServers;
import io.leasehold.spi.LockUrl;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisCluster;

/** A client of the application's, whose connections are used. */
record LentClient(Redis client) implements RedisLockProvider.Client {

  /** Only the class tells the type; one that is not known may find another primary. */
  @Override
  public RedisServers servers() {
    if (isCluster()) {
      throw VertxLockProvider.unsupported(
          "A Redis client of type CLUSTER chooses nodes and repeats commands by itself, which is"
              + " not for locks: use VertxLockProvider.using(vertx, options) with its options");
    }
    Endpoint label = Endpoint.data("given", 0);
    return client.getClass().getSimpleName().equals("RedisClient")
        ? RedisServers.one(label)
        : RedisServers.foundByDriver(label);
  }

  @Override
  public RedisDriver driver(LockUrl url) {
    return new VertxDriver(
        client, ConnectionSettings.of(url), url.get(VertxLockProvider.QUEUE_SIZE));
  }

  private boolean isCluster() {
    try {
      RedisCluster.create(client);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
