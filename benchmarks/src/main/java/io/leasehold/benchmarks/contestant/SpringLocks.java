package io.leasehold.benchmarks.contestant;

import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Spring Integration's registry on Spring Data's default: Lettuce, one shared connection. */
final class SpringLocks implements Client {
  private final LettuceConnectionFactory connections;
  private final RedisLockRegistry registry;

  private SpringLocks(int port, RedisLockType type) {
    connections = connections(port);
    registry =
        new RedisLockRegistry(connections, "spring", Duration.ofMillis(BareDriver.TTL_MILLIS));
    registry.setRedisLockType(type);
  }

  static SpringLocks pubSub(int port) {
    return new SpringLocks(port, RedisLockType.PUB_SUB_LOCK);
  }

  static SpringLocks spin(int port) {
    return new SpringLocks(port, RedisLockType.SPIN_LOCK);
  }

  static LettuceConnectionFactory connections(int port) {
    LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", port);
    connections.afterPropertiesSet();
    connections.start();
    return connections;
  }

  @Override
  @SuppressWarnings("LockNotBeforeTry") // acquiring and releasing are two calls of the harness
  public Handle lock(String name) {
    Lock lock = registry.obtain(name);
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
    registry.destroy();
    connections.destroy();
  }
}
