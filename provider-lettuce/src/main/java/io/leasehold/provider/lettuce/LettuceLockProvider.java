package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisLockNode;
import io.leasehold.redis.RedisOptions;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.ProviderContext;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Keeps locks on a Redis server, with the Lettuce driver. Its nodes do not block. */
public final class LettuceLockProvider implements LockProvider {
  private static final String NAME = "lettuce";

  /** How many requests may wait for their replies before further ones are refused. */
  static final OptionKey<Integer> QUEUE_SIZE =
      OptionKey.integer("lettuce.queueSize", Optional.of(10_000), 10, 10_000_000);

  private static final Set<OptionKey<?>> OPTIONS = options(RedisOptions.COMMON);

  /** Made by {@link java.util.ServiceLoader}. */
  public LettuceLockProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<String> schemes() {
    return Set.of("redis");
  }

  @Override
  public Set<OptionKey<?>> options() {
    return OPTIONS;
  }

  @Override
  public LockNode open(LockUrl url, ProviderContext context) {
    if (url.hosts().size() != 1) {
      throw new InvalidConfigurationException(
          ErrorCode.UNSUPPORTED,
          "host",
          "redis:// means one server, but the URL lists "
              + url.hosts().size()
              + " hosts; for a quorum of servers write lock:redlock:"
              + NAME
              + ":redis://…");
    }
    Settings settings = Settings.of(url);
    return RedisLockNode.open(NAME, url, context, () -> LettucePort.connect(settings, context));
  }

  private static Set<OptionKey<?>> options(Set<OptionKey<?>> common) {
    Set<OptionKey<?>> keys = new HashSet<>(common);
    keys.add(QUEUE_SIZE);
    return Set.copyOf(keys);
  }
}
