package io.leasehold.provider.jedis;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.TimeSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Contexts and calls for the tests of what is particular to Jedis. */
final class Ports implements AutoCloseable {
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final ExecutorService background = Executors.newCachedThreadPool();

  /** Remembers messages. */
  static final class Ear implements DriverPort.Subscriber {
    final List<String> messages = new CopyOnWriteArrayList<>();

    @Override
    public boolean sharded() {
      return true;
    }

    @Override
    public void message(byte[] payload) {
      messages.add(new String(payload, StandardCharsets.UTF_8));
    }

    @Override
    public void interrupted() {
      messages.add("interrupted");
    }
  }

  PortContext context(Duration timeout) {
    return new PortContext(
        (task, delay) -> {
          var scheduled = timer.schedule(task, delay, TimeUnit.NANOSECONDS);
          return () -> scheduled.cancel(false);
        },
        TimeSource.system(),
        background,
        Duration.ofSeconds(5),
        timeout,
        () -> {});
  }

  DriverPort open(String url, Duration timeout) {
    return open(new JedisLockProvider(), url, timeout);
  }

  /** As a provider opens it. */
  DriverPort open(LockProvider provider, String url, Duration timeout) {
    String times = "connectTimeout=5s&commandTimeout=" + timeout.toMillis() + "ms";
    LockUrl parsed = LockUrl.parse("lock:" + url + (url.contains("?") ? "&" : "?") + times);
    return ((JedisLockProvider) provider)
        .open(parsed, RedisServers.of(parsed), ConnectionSettings.of(parsed), context(timeout));
  }

  static JedisPort open(RedisServers servers, ConnectionSettings url, PortContext context) {
    JedisLockProvider.Settings settings = JedisLockProvider.settings(url, 64);
    return new JedisPort(context, () -> Servers.open(servers, settings));
  }

  DriverPort given(AutoCloseable client, Duration timeout) {
    return given(client, context(timeout));
  }

  static DriverPort given(AutoCloseable client, PortContext context) {
    return new JedisPort(context, Servers.of(client)::handedIn);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The reply as text, or what failed. */
  static Object ask(DriverPort port, String key, String name, Object... args) {
    return reply(port.send(bytes(key), RedisCommand.of(name, args)).toCompletableFuture());
  }

  static Object reply(CompletableFuture<?> stage) {
    try {
      Object reply = stage.join();
      return reply instanceof byte[] text
          ? new String(text, StandardCharsets.UTF_8)
          : String.valueOf((@Nullable Object) reply);
    } catch (CompletionException e) {
      return e.getCause() == null ? e : e.getCause();
    }
  }

  /** A call on another thread. */
  CompletableFuture<Object> asking(DriverPort port, String key, String name, Object... args) {
    return CompletableFuture.supplyAsync(() -> ask(port, key, name, args), background);
  }

  @Override
  public void close() {
    background.shutdownNow();
    timer.shutdownNow();
  }
}
