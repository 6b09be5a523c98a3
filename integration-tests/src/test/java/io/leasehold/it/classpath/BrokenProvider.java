package io.leasehold.it.classpath;

import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.ProviderContext;
import java.util.Set;

/** A provider whose jar is broken: its class cannot be initialised. */
public final class BrokenProvider implements LockProvider {

  /** For the service loader. */
  public BrokenProvider() {
    throw new NoClassDefFoundError("a/driver/That/IsMissing");
  }

  @Override
  public String name() {
    return "broken";
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
    throw new UnsupportedOperationException("never made, so never opened");
  }
}
