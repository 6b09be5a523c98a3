package io.leasehold.provider.vertx;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisDriver;
import io.leasehold.redis.RedisLockProvider;
import io.leasehold.redis.TlsFactories;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options;
import io.vertx.core.Vertx;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps locks on Redis servers, with the Vert.x Redis client. Its nodes do not block. */
public final class VertxLockProvider extends RedisLockProvider {
  private static final String NAME = "vertx";

  /** How many commands may wait for their replies on a connection before more are refused. */
  static final OptionKey<Integer> QUEUE_SIZE =
      OptionKey.integer("vertx.queueSize", Optional.of(10_000), 10, 10_000_000);

  private final @Nullable Vertx vertx;

  /** Made by {@link java.util.ServiceLoader}. */
  public VertxLockProvider() {
    this(null);
  }

  private VertxLockProvider(@Nullable Vertx vertx) {
    super(NAME, QUEUE_SIZE);
    this.vertx = vertx;
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
    return onClient(NAME, new LentClient(client), QUEUE_SIZE);
  }

  /**
   * A provider that makes connections as the options of the application's client say: endpoints,
   * credentials, TLS, and whether they are one server, sentinels or a cluster.
   */
  public static LockProvider using(Vertx vertx, RedisOptions options) {
    GivenOptions given = new GivenOptions(vertx, new RedisOptions(options));
    return onClient(NAME, given, QUEUE_SIZE, Options.CLIENT_NAME);
  }

  @Override
  protected Supplier<RedisDriver> driver(LockUrl url, ConnectionSettings settings) {
    int queueSize = url.get(QUEUE_SIZE);
    return () -> new VertxDriver(vertx, settings, net(settings), queueSize);
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
                  .setTrustOptions(TrustOptions.wrap(TlsFactories.of(tls.trust())))
                  .setHostnameVerificationAlgorithm(tls.verifiesHost() ? "HTTPS" : "");
              tls.keys()
                  .map(keys -> KeyCertOptions.wrap(TlsFactories.of(keys)))
                  .ifPresent(net::setKeyCertOptions);
            });
    return net;
  }
}
