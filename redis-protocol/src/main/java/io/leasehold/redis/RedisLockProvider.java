package io.leasehold.redis;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import java.util.HashSet;
import java.util.Set;

/**
 * A provider on Redis, whichever its driver. It takes every scheme of Redis; or, made with {@link
 * #onClient}, none of them, because it works with a client that the application has already.
 */
public abstract class RedisLockProvider implements LockProvider {
  /** What a client that is handed in has settled already. */
  private static final Set<OptionKey<?>> SETTLED =
      Set.of(
          Options.CLIENT_NAME,
          Options.MASTER_NAME,
          Options.TLS_CA,
          Options.TLS_VERIFY,
          Options.TLS_CERT,
          Options.TLS_KEY);

  private final String name;
  private final Set<OptionKey<?>> options;

  /**
   * @param name the driver's name
   * @param own the driver's own option keys
   */
  protected RedisLockProvider(String name, OptionKey<?>... own) {
    this.name = name;
    this.options = with(own, Set.of());
  }

  /** Opens a port with a client of its own, without connecting. */
  protected abstract DriverPort open(
      LockUrl url, RedisServers servers, ConnectionSettings settings, PortContext context);

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final Set<String> schemes() {
    return Set.copyOf(RedisServers.SCHEMES);
  }

  @Override
  public final Set<OptionKey<?>> options() {
    return options;
  }

  @Override
  public final LockNode open(LockUrl url, ProviderContext context) {
    RedisServers servers = RedisServers.of(url);
    ConnectionSettings settings = ConnectionSettings.of(url);
    return new NodeOpening(name, url, servers, context)
        .open(port -> open(url, servers, settings, port));
  }

  /**
   * Asks the servers of a URL what they are, without opening a node.
   *
   * @throws io.leasehold.spi.InvalidConfigurationException as {@link #open}
   */
  public final RedisProbe probe(LockUrl url) {
    return new RedisProbe(this, url);
  }

  /** Where a client that an application hands in has its servers, and how it reaches them. */
  public interface Client {

    /** Where the servers are; asked when locks are opened, and may block as the client does. */
    RedisServers servers();

    /** Opens a port on the client, which is never closed. */
    DriverPort open(LockUrl url, PortContext context);
  }

  /**
   * A provider on a client that the application has: {@code Locks.builder().provider(…)}. Where the
   * servers are, how to log in and whom to trust is set on the client, and no option of the URL.
   */
  public static LockProvider onClient(String name, Client client, OptionKey<?>... own) {
    return new OnClient(name, with(own, SETTLED), client);
  }

  private record OnClient(String name, Set<OptionKey<?>> options, Client client)
      implements LockProvider {
    @Override
    public Set<String> schemes() {
      return Set.of(GIVEN_CLIENT);
    }

    @Override
    public LockNode open(LockUrl url, ProviderContext context) {
      return new NodeOpening(name, url, client.servers(), context)
          .open(port -> client.open(url, port));
    }
  }

  private static Set<OptionKey<?>> with(OptionKey<?>[] own, Set<OptionKey<?>> settled) {
    Set<OptionKey<?>> keys = new HashSet<>(RedisOptions.COMMON);
    keys.removeAll(settled);
    keys.addAll(Set.of(own));
    return Set.copyOf(keys);
  }
}
