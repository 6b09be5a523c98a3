package io.leasehold.provider.vertx;

import io.leasehold.provider.vertx.VertxPort.Clients;
import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisLockProvider;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.RedisServers.Topology;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options.TlsVerify;
import io.vertx.core.Vertx;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.ProtocolVersion;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps locks on Redis servers, with the Vert.x Redis client. Its nodes do not block: they may be
 * used on event loops. Without a Vert.x of the application's, locks have a small one of their own.
 */
public final class VertxLockProvider extends RedisLockProvider {
  private static final String NAME = "vertx";

  /** How many commands may wait for their replies on a connection before more are refused. */
  static final OptionKey<Integer> QUEUE_SIZE =
      OptionKey.integer("vertx.queueSize", Optional.of(10_000), 10, 10_000_000);

  private final @Nullable Vertx vertx;
  private final Consumer<Settings> customizer;

  /** Made by {@link java.util.ServiceLoader}. */
  public VertxLockProvider() {
    this(null, unchanged -> {});
  }

  private VertxLockProvider(@Nullable Vertx vertx, Consumer<Settings> customizer) {
    super(NAME, QUEUE_SIZE);
    this.vertx = vertx;
    this.customizer = customizer;
  }

  /** For URLs, with changes that they cannot express. Called whenever locks are opened. */
  public static LockProvider configured(Consumer<Settings> customizer) {
    return new VertxLockProvider(null, customizer);
  }

  /**
   * For URLs, in the application's Vert.x, which is never closed. Connections outlive the verticle
   * that opens them, and are closed with the locks.
   */
  public static LockProvider using(Vertx vertx) {
    return new VertxLockProvider(vertx, unchanged -> {});
  }

  /**
   * As {@link #using(Vertx)}, with connections as the options of the application's client say: to
   * one server, the primary that sentinels name, or a cluster. Its pool and failover settings are
   * not used: the locks keep their connections, and replace what breaks.
   *
   * @throws InvalidConfigurationException when they do not lead to primaries
   */
  public static LockProvider using(Vertx vertx, RedisOptions options) {
    if (options.getType() == RedisClientType.REPLICATION) {
      throw unsupported(
          "Options of type REPLICATION do not say which server may keep locks: use sentinels, or"
              + " STANDALONE with the endpoint of the primary");
    }
    Topology topology = Topology.valueOf(options.getType().name());
    String master = topology == Topology.SENTINEL ? options.getMasterName() : "";
    List<Endpoint> endpoints =
        options.getEndpoints().stream()
            .map(url -> LockUrl.parse("lock:" + url.replaceFirst("\\?.*", "")).hosts().get(0))
            .map(at -> Endpoint.data(at.host(), at.portOr(6379)))
            .toList();
    RedisServers servers = new RedisServers(topology, endpoints, master);
    return onClient(NAME, new Clients(vertx, servers, new RedisOptions(options), List.of(), null));
  }

  /**
   * With connections of the application's client, which is never closed. They count for its pool
   * size: one for commands, one to listen, and one for each call that waits for replicas meanwhile.
   *
   * @throws InvalidConfigurationException for a client of type CLUSTER, which chooses nodes and
   *     repeats commands by itself: hand in its options
   */
  public static LockProvider using(Redis client) {
    String type = client.getClass().getSimpleName(); // nothing else says which type it has
    if (type.contains("Cluster")) {
      throw unsupported(
          "A Redis client of type CLUSTER chooses nodes and repeats commands by itself, which is"
              + " not for locks: hand in its Vertx and its RedisOptions");
    }
    Endpoint label = Endpoint.data("client", 0);
    RedisServers servers =
        type.equals("RedisClient") ? RedisServers.one(label) : RedisServers.foundByDriver(label);
    CompletableFuture<Vertx> found = new CompletableFuture<>();
    client // refuses this, and shows its Vert.x by doing so
        .send(Request.cmd(Command.MULTI))
        .onComplete(said -> found.complete(Objects.requireNonNull(Vertx.currentContext()).owner()));
    Vertx vertx = found.orTimeout(5, TimeUnit.SECONDS).join();
    return onClient(NAME, new Clients(vertx, servers, new RedisOptions(), List.of(), client));
  }

  private static InvalidConfigurationException unsupported(String message) {
    return new InvalidConfigurationException(ErrorCode.UNSUPPORTED, "client", message);
  }

  @Override
  protected DriverPort open(
      LockUrl url, RedisServers servers, ConnectionSettings settings, PortContext context) {
    NetClientOptions net = new NetClientOptions().setTcpKeepAlive(true);
    net.setConnectTimeout((int) settings.connectTimeout().toMillis());
    settings
        .tls()
        .ifPresent(
            tls -> {
              net.setSsl(true).setHostnameVerificationAlgorithm(tls.verifiesHost() ? "HTTPS" : "");
              net.setTrustAll(tls.verify() == TlsVerify.OFF);
              net.setTrustOptions(TrustOptions.wrap(tls.trust()));
              tls.keys().map(KeyCertOptions::wrap).ifPresent(net::setKeyCertOptions);
            });
    RedisOptions options =
        new RedisOptions()
            .setType(RedisClientType.valueOf(servers.topology().name()))
            .setMasterName(servers.masterName())
            .setNetClientOptions(net)
            .setMaxWaitingHandlers(url.get(QUEUE_SIZE))
            .setPreferredProtocolVersion(ProtocolVersion.RESP2);
    String scheme = net.isSsl() ? "rediss://" : "redis://";
    servers.endpoints().forEach(at -> options.addConnectionString(scheme + at));
    if (servers.topology() == Topology.SENTINEL && settings.password().isPresent()) {
      // For sentinels that want a login. The driver writes the user into further URLs as it is.
      String user = encoded(encoded(settings.user().orElse("")));
      String login = user + ":" + encoded(settings.password().get().reveal()) + "@";
      servers.endpoints().forEach(at -> options.addConnectionString(scheme + login + at));
    }
    customizer.accept(new Settings(options));
    return new VertxPort(new Clients(vertx, servers, options, greeting(settings), null), context);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /**
   * Not left to the driver: behind sentinels it forgets some, and 5.1 keeps refused logins open.
   */
  private static List<Request> greeting(ConnectionSettings settings) {
    List<Request> greeting = new ArrayList<>();
    Request login = Request.cmd(Command.AUTH);
    settings.user().ifPresent(login::arg);
    settings.password().ifPresent(secret -> greeting.add(login.arg(secret.reveal())));
    if (settings.database() != 0) {
      greeting.add(Request.cmd(Command.SELECT).arg(settings.database()));
    }
    settings.clientName().ifPresent(n -> greeting.add(Request.cmd(Command.CLIENT, "SETNAME", n)));
    return greeting;
  }

  /** What a URL says, apart from login, database and name: these are sent on new connections. */
  public record Settings(RedisOptions options) {}
}
