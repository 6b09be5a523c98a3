package io.leasehold.benchmarks.contestant;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson with its defaults: 64 connections, and a watch dog that renews leases of 30 s. */
final class Redissons implements Client {
  enum Mode {
    PUBSUB,
    SPIN
  }

  private final RedissonClient client;
  private final Mode mode;

  Redissons(int port, Mode mode) {
    Config config = new Config();
    config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
    this.client = Redisson.create(config);
    this.mode = mode;
  }

  @Override
  @SuppressWarnings("LockNotBeforeTry") // acquiring and releasing are two calls of the harness
  public Handle lock(String name) {
    RLock lock =
        switch (mode) {
          case PUBSUB -> client.getLock(name);
          case SPIN -> client.getSpinLock(name);
        };
    return new Handle() {
      @Override
      public Object acquire() {
        lock.lock();
        return lock;
      }

      @Override
      public void release(Object held) {
        lock.unlock();
      }
    };
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
