package io.leasehold.redis;

import io.leasehold.spi.LockProviders;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/** What a client gives its provider, for tests that have no client. */
class TestContext implements ProviderContext, AutoCloseable {
  private static final AtomicInteger CLIENTS = new AtomicInteger();

  private final ScheduledExecutorService timer =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "test-timer");
            thread.setDaemon(true);
            return thread;
          });
  private final String clientId;

  TestContext() {
    this("client-" + CLIENTS.incrementAndGet());
  }

  TestContext(String clientId) {
    this.clientId = clientId;
  }

  @Override
  public LockProviders providers() {
    return LockProviders.of();
  }

  @Override
  public Executor newBlockingExecutor(String label) {
    return task -> {
      Thread thread = new Thread(task, "test-" + label);
      thread.setDaemon(true);
      thread.start();
    };
  }

  @Override
  public Scheduler scheduler() {
    return (task, delayNanos) -> {
      ScheduledFuture<?> scheduled = timer.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
      return () -> scheduled.cancel(false);
    };
  }

  @Override
  public TimeSource time() {
    return TimeSource.system();
  }

  @Override
  public RandomGenerator random() {
    return RandomGenerator.getDefault();
  }

  @Override
  public String clientId() {
    return clientId;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
