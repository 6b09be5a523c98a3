package io.leasehold.redis;

import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.ProviderContext;
import java.util.function.Supplier;

/** Opens lock nodes on Redis, for providers. */
public final class RedisNodes {

  private RedisNodes() {}

  /**
   * Opens a node, and checks that its servers may be used for locks.
   *
   * @param provider the provider's name, for messages
   * @param url what the application asked for
   * @param servers where they are: {@link RedisServers#of} the URL, or what the client that the
   *     application handed in says
   * @param driver makes the driver, without connecting. Called once, after the URL has been
   *     checked; the node closes it.
   * @throws io.leasehold.spi.InvalidConfigurationException when the URL asks for what cannot be
   * @throws io.leasehold.spi.NodeUnavailableException when the servers cannot be reached or must
   *     not be used
   */
  public static LockNode open(
      String provider,
      LockUrl url,
      RedisServers servers,
      ProviderContext context,
      Supplier<? extends RedisDriver> driver) {
    return new NodeOpening(provider, url, servers, context).open(driver);
  }
}
