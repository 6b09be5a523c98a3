package io.leasehold.benchmarks.contestant;

import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** ShedLock's Redis provider, on the same connections as Spring Integration. It never waits. */
final class ShedLocks implements Client {
  private static final Duration AT_MOST = Duration.ofMillis(BareDriver.TTL_MILLIS);

  private final LettuceConnectionFactory connections;
  private final RedisLockProvider provider;

  ShedLocks(int port) {
    connections = SpringLocks.connections(port);
    provider = new RedisLockProvider(connections);
  }

  @Override
  public Handle lock(String name) {
    return new Handle() {
      @Override
      public Object acquire() {
        return provider
            .lock(new LockConfiguration(Instant.now(), name, AT_MOST, Duration.ZERO))
            .orElseThrow(() -> new IllegalStateException("busy"));
      }

      @Override
      public void release(Object held) {
        ((SimpleLock) held).unlock();
      }
    };
  }

  @Override
  public void close() {
    connections.destroy();
  }
}
