package io.leasehold.provider.memory;

import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.TimeSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Serves {@code lock:mem://name}. Clients with the same name share their locks while at least one
 * of them is open; the last one to close takes the locks with it.
 */
public final class MemoryLockProvider implements LockProvider {
  static final String NAME = "memory";

  private static final Map<String, MemorySpace> SPACES = new HashMap<>();

  /** For the service loader. */
  public MemoryLockProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<String> schemes() {
    return Set.of("mem");
  }

  @Override
  public Set<OptionKey<?>> options() {
    return Set.of(Options.FENCE_RETENTION, Options.CLIENT_NAME);
  }

  @Override
  public LockNode open(LockUrl url, ProviderContext context) {
    boolean plain =
        url.hosts().size() == 1
            && url.hosts().get(0).port().isEmpty()
            && url.user().isEmpty()
            && url.password().isEmpty()
            && url.database().isEmpty();
    if (!plain) {
      throw new InvalidConfigurationException(
          ErrorCode.UNSUPPORTED,
          "host",
          "A lock URL for memory is lock:mem://name, with one name and neither port, user, "
              + "password nor database");
    }
    String name = url.hosts().get(0).host();
    MemorySpace space;
    synchronized (SPACES) {
      space = SPACES.computeIfAbsent(name, n -> new MemorySpace(n, TimeSource.system()));
      space.opened();
    }
    return new MemoryNode(
        space,
        url.get(Options.FENCE_RETENTION).toMillis(),
        context.scheduler(),
        context.client(),
        () -> {
          synchronized (SPACES) {
            if (space.closed()) {
              SPACES.remove(name, space);
            }
          }
        });
  }
}
