package io.leasehold.provider.vertx;

import io.leasehold.spi.LockProviders;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** What a client gives its provider; nothing may block, so no task is run. */
final class TestContext implements ProviderContext {

  @Override
  public LockProviders providers() {
    return LockProviders.of();
  }

  @Override
  public Executor newBlockingExecutor(String label) {
    return task -> {
      throw new AssertionError("not needed");
    };
  }

  @Override
  public Scheduler scheduler() {
    return PortTestContext.context(PortTestContext.LONG).scheduler();
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
    return "test";
  }
}
