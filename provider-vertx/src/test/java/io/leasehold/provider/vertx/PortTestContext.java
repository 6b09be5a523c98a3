package io.leasehold.provider.vertx;

import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.TimeSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** What the tests of this package share. */
final class PortTestContext {
  static final Duration LONG = Duration.ofSeconds(20);
  static final LockUrl URL = LockUrl.parse("lock:redis://any");
  static final byte[] KEY = "key".getBytes(StandardCharsets.UTF_8);
  private static final ScheduledExecutorService TIMER =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "test-timer");
            thread.setDaemon(true);
            return thread;
          });

  private PortTestContext() {}

  static PortContext context(Duration commandTimeout) {
    return new PortContext(
        (task, delay) -> {
          ScheduledFuture<?> scheduled = TIMER.schedule(task, delay, TimeUnit.NANOSECONDS);
          return () -> scheduled.cancel(false);
        },
        TimeSource.system(),
        Runnable::run,
        Duration.ofSeconds(5),
        commandTimeout,
        () -> {});
  }

  static CompletableFuture<Object> ask(DriverPort port, String name, Object... args) {
    return port.send(KEY, RedisCommand.of(name, args)).toCompletableFuture();
  }

  static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join();
  }

  static String text(Object reply) {
    return new String((byte[]) reply, StandardCharsets.UTF_8);
  }
}
