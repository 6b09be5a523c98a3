package io.leasehold.it.classpath;

import io.leasehold.provider.memory.MemoryLockProvider;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.ProviderContext;
import java.util.Set;

/** A test-only provider that takes {@code redis://} too; it keeps its locks in memory. */
public final class SecondRedisProvider implements LockProvider {

  @Override
  public String name() {
    return "second";
  }

  @Override
  public Set<String> schemes() {
    return Set.of("redis");
  }

  @Override
  public Set<OptionKey<?>> options() {
    return Set.of();
  }

  @Override
  public LockNode open(LockUrl url, ProviderContext context) {
    return new MemoryLockProvider().open(LockUrl.parse("lock:mem://second"), context);
  }
}
