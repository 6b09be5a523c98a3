package io.leasehold.ctl.demo;

import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import java.util.Set;

/** A provider with one flaw: it knows nothing of other processes. */
public final class BrokenProvider implements LockProvider {

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
    return Set.of(Options.CONNECT, Options.CONNECT_TIMEOUT, Options.GUARD);
  }

  @Override
  public LockNode open(LockUrl url, ProviderContext context) {
    int port = url.hosts().get(0).portOr(0);
    return context.providers().open(LockUrl.parse("lock:memory:mem://server-" + port), context);
  }
}
