package com.example.locks;

import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Serves {@code lock:mine://name}. Named in META-INF/services, so that the jar is all it takes. */
public final class MyLockProvider implements LockProvider {
  /** In the place of servers. What is yours connects to the hosts of the URL. */
  private static final Map<String, MyStore> STORES = new ConcurrentHashMap<>();

  /** Your own option keys, beside those that every provider knows, begin with this name. */
  @Override
  public String name() {
    return "mine";
  }

  @Override
  public Set<String> schemes() {
    return Set.of("mine");
  }

  /** A key that is not listed here is refused before {@link #open}. */
  @Override
  public Set<OptionKey<?>> options() {
    return Set.of(Options.FENCE_RETENTION);
  }

  /**
   * Connects, and throws NodeUnavailableException when that fails; InvalidConfigurationException
   * when the URL says something that you cannot do.
   */
  @Override
  public LockNode open(LockUrl url, ProviderContext context) {
    String host = url.hosts().get(0).host();
    MyStore store = STORES.computeIfAbsent(host, MyStore::new);
    return new MyNode(store, url.get(Options.FENCE_RETENTION).toMillis());
  }
}
