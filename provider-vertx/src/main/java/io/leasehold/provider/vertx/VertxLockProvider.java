package io.leasehold.provider.vertx;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisNodes;
import io.leasehold.redis.RedisServers;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import io.vertx.core.Vertx;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisCluster;
import io.vertx.redis.client.RedisOptions;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/** Keeps locks on Redis servers, with the Vert.x Redis client. Its nodes do not block. */
public final class VertxLockProvider implements LockProvider {
  static final String NAME = "vertx";

  /** How many commands may wait for their replies on a connection before more are refused. */
  static final OptionKey<Integer> QUEUE_SIZE =
      OptionKey.integer("vertx.queueSize", Optional.of(10_000), 10, 10_000_000);

  private final Set<String> schemes;
  private final Set<OptionKey<?>> options = new HashSet<>(io.leasehold.redis.RedisOptions.COMMON);
  private final BiFunction<LockUrl, ProviderContext, LockNode> opening;

  /** Made by {@link java.util.ServiceLoader}. */
  public VertxLockProvider() {
    this(null);
  }

  private VertxLockProvider(@Nullable Vertx vertx) {
    this(
        Set.copyOf(RedisServers.SCHEMES),
        (url, context) -> {
          ConnectionSettings settings = ConnectionSettings.of(url);
          int queueSize = url.get(QUEUE_SIZE);
          return RedisNodes.open(
              NAME,
              url,
              RedisServers.of(url),
              context,
              () -> new VertxDriver(vertx, settings, net(settings), queueSize));
        });
  }

  private VertxLockProvider(
      Set<String> schemes, BiFunction<LockUrl, ProviderContext, LockNode> opening) {
    this.schemes = schemes;
    this.opening = opening;
    options.add(QUEUE_SIZE);
  }

  /**
   * A provider for the usual URLs that makes its connections with the application's Vert.x, on
   * contexts of its own, and never closes that.
   */
  public static LockProvider using(Vertx vertx) {
    return new VertxLockProvider(vertx);
  }

  /**
   * A provider that takes connections from the application's client: one for commands and one to
   * listen. They count for the client's {@code maxPoolSize} and are closed after use; the client is
   * never closed. A client of type CLUSTER is refused when it is opened, since it chooses nodes and
   * repeats commands by itself: for a cluster, hand in its {@linkplain #using(Vertx, RedisOptions)
   * options}.
   */
  public static LockProvider using(Redis client) {
    VertxLockProvider provider = given((url, context) -> open(client, url, context));
    provider.options.remove(Options.CLIENT_NAME);
    return provider;
  }

  /**
   * A provider that makes connections as the options of the application's client say: endpoints,
   * credentials, TLS, and whether they are one server, sentinels or a cluster.
   */
  public static LockProvider using(Vertx vertx, RedisOptions options) {
    GivenOptions given = new GivenOptions(new RedisOptions(options));
    return given((url, context) -> given.open(vertx, url, context));
  }

  private static VertxLockProvider given(BiFunction<LockUrl, ProviderContext, LockNode> opening) {
    VertxLockProvider provider = new VertxLockProvider(Set.of("client"), opening);
    provider.options.removeIf(key -> key.name().startsWith("tls"));
    provider.options.remove(Options.MASTER_NAME);
    return provider;
  }

  private static LockNode open(Redis client, LockUrl url, ProviderContext context) {
    if (isCluster(client)) {
      throw unsupported(
          "A Redis client of type CLUSTER chooses nodes and repeats commands by itself, which is"
              + " not for locks: use VertxLockProvider.using(vertx, options) with its options");
    }
    ConnectionSettings settings = ConnectionSettings.of(url);
    int queueSize = url.get(QUEUE_SIZE);
    return RedisNodes.open(
        NAME, url, servers(client), context, () -> new VertxDriver(client, settings, queueSize));
  }

  /** Only the class tells the type; one that is not known may find another primary. */
  static RedisServers servers(Redis client) {
    Endpoint label = Endpoint.data("given", 0);
    return client.getClass().getSimpleName().equals("RedisClient")
        ? RedisServers.one(label)
        : RedisServers.foundByDriver(label);
  }

  private static boolean isCluster(Redis client) {
    try {
      RedisCluster.create(client);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  static InvalidConfigurationException unsupported(String message) {
    return new InvalidConfigurationException(ErrorCode.UNSUPPORTED, "client", message);
  }

  static NetClientOptions net(ConnectionSettings settings) {
    NetClientOptions net = new NetClientOptions().setTcpKeepAlive(true).setTcpNoDelay(true);
    settings
        .tls()
        .ifPresent(
            tls -> {
              net.setSsl(true)
                  .setTrustOptions(TrustOptions.wrap(tls.trust()))
                  .setHostnameVerificationAlgorithm(tls.verifiesHost() ? "HTTPS" : "");
              tls.keys()
                  .map(keys -> KeyCertOptions.wrap((X509KeyManager) keys))
                  .ifPresent(net::setKeyCertOptions);
            });
    return net;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<String> schemes() {
    return schemes;
  }

  @Override
  public Set<OptionKey<?>> options() {
    return Set.copyOf(options);
  }

  @Override
  public LockNode open(LockUrl url, ProviderContext context) {
    return opening.apply(url, context);
  }
}
