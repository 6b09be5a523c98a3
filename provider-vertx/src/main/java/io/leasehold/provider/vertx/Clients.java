package io.leasehold.provider.vertx;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisLockProvider;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.RedisServers.Topology;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.HostAndPort;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import io.leasehold.spi.Options.TlsVerify;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.ProtocolVersion;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.RedisRole;
import io.vertx.redis.client.Request;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * Clients of the driver, one for each server.
 *
 * @param vertx the application's, which is never closed; without it each port has its own
 * @param greeting what is still to be sent when the driver has connected
 * @param lent the application's client, of one server or one primary, instead of new ones
 */
record Clients(
    @Nullable Vertx vertx,
    RedisServers servers,
    RedisOptions options,
    List<Request> greeting,
    @Nullable Redis lent)
    implements RedisLockProvider.Client {

  /** How many connections a client has at most. */
  static final int MOST = 1_000;

  @Override
  public DriverPort open(LockUrl url, PortContext context) {
    return new VertxPort(this, context);
  }

  /** What a URL says, except for the {@linkplain #greeting greeting}. */
  static RedisOptions options(LockUrl url, RedisServers servers, ConnectionSettings settings) {
    TlsVerify verify = url.get(Options.TLS_VERIFY);
    NetClientOptions net = new NetClientOptions().setTcpKeepAlive(true);
    net.setConnectTimeout((int) settings.connectTimeout().toMillis())
        .setSsl(settings.tls().isPresent())
        .setHostnameVerificationAlgorithm(verify == TlsVerify.FULL ? "HTTPS" : "")
        .setTrustAll(verify == TlsVerify.OFF);
    PemKeyCertOptions keys = new PemKeyCertOptions();
    PemTrustOptions trust = new PemTrustOptions();
    url.given(Options.TLS_CA).ifPresent(file -> net.setTrustOptions(trust.addCertPath(file)));
    url.given(Options.TLS_KEY).ifPresent(keys::setKeyPath);
    url.given(Options.TLS_CERT).ifPresent(file -> net.setKeyCertOptions(keys.setCertPath(file)));
    RedisOptions options =
        new RedisOptions()
            .setType(RedisClientType.valueOf(servers.topology().name()))
            .setMasterName(servers.masterName())
            .setNetClientOptions(net)
            .setMaxWaitingHandlers(url.get(VertxLockProvider.QUEUE_SIZE))
            .setPreferredProtocolVersion(ProtocolVersion.RESP2);
    String scheme = net.isSsl() ? "rediss://" : "redis://";
    servers.endpoints().forEach(at -> options.addConnectionString(scheme + at));
    if (servers.topology() == Topology.SENTINEL && settings.password().isPresent()) {
      // For sentinels that want a login. The driver writes the user into further URLs as it is.
      String user = encoded(encoded(settings.user().orElse("")));
      String login = user + ":" + encoded(settings.password().get().reveal()) + "@";
      servers.endpoints().forEach(at -> options.addConnectionString(scheme + login + at));
    }
    return options;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /**
   * Login, database and name. The driver does that, too, but for a primary that sentinels named,
   * and 5.1 does not close a connection whose login was refused.
   */
  static List<Request> greeting(ConnectionSettings settings) {
    List<Request> greeting = new ArrayList<>();
    if (settings.password().isPresent()) {
      Request login = Request.cmd(Command.AUTH);
      settings.user().ifPresent(login::arg);
      greeting.add(login.arg(settings.password().get().reveal()));
    }
    if (settings.database() != 0) {
      greeting.add(Request.cmd(Command.SELECT).arg(settings.database()));
    }
    settings
        .clientName()
        .ifPresent(name -> greeting.add(Request.cmd(Command.CLIENT, "SETNAME", name)));
    return greeting;
  }

  /** As the options of an application's client say. */
  static Clients of(Vertx vertx, RedisOptions options) {
    if (options.getType() == RedisClientType.REPLICATION) {
      throw unsupported(
          "Options of type REPLICATION do not say which server may keep locks: use sentinels, or"
              + " STANDALONE with the endpoint of the primary");
    }
    Topology topology = Topology.valueOf(options.getType().name());
    String master = topology == Topology.SENTINEL ? options.getMasterName() : "";
    List<Endpoint> endpoints = options.getEndpoints().stream().map(Clients::endpoint).toList();
    RedisServers servers = new RedisServers(topology, endpoints, master);
    return new Clients(vertx, servers, new RedisOptions(options), List.of(), null);
  }

  private static Endpoint endpoint(String url) {
    HostAndPort at = LockUrl.parse("lock:" + url.replaceFirst("\\?.*", "")).hosts().get(0);
    return Endpoint.data(at.host(), at.portOr(io.leasehold.redis.RedisOptions.DEFAULT_PORT));
  }

  /** The application's client. Only the name of its class says what type it has. */
  static Clients of(Redis lent) {
    String type = lent.getClass().getSimpleName();
    if (type.contains("Cluster")) {
      throw unsupported(
          "A Redis client of type CLUSTER chooses nodes and repeats commands by itself, which is"
              + " not for locks: hand in its Vertx and its RedisOptions");
    }
    Endpoint label = Endpoint.data("client", 0);
    RedisServers servers =
        type.equals("RedisClient") ? RedisServers.one(label) : RedisServers.foundByDriver(label);
    return new Clients(owner(lent), servers, new RedisOptions(), List.of(), lent);
  }

  /** The Vert.x of a client, which the driver shows only where it calls back. */
  private static Vertx owner(Redis client) {
    CompletableFuture<Context> found = new CompletableFuture<>();
    Runnable look = () -> Optional.ofNullable(Vertx.currentContext()).ifPresent(found::complete);
    look.run();
    client.send(Request.cmd(Command.MULTI)).onComplete(refusedUnsent -> look.run());
    return found.orTimeout(5, TimeUnit.SECONDS).join().owner();
  }

  private static InvalidConfigurationException unsupported(String message) {
    return new InvalidConfigurationException(ErrorCode.UNSUPPORTED, "client", message);
  }

  /** A client of the one server, of the primary that sentinels name, or of a node of a cluster. */
  Redis create(Vertx vertx, Endpoint node) {
    if (lent != null) {
      return lent;
    }
    RedisOptions own =
        new RedisOptions(options)
            .setRole(RedisRole.MASTER)
            .setAutoFailover(false) // it exchanges connections, and forgets subscriptions
            .setTopologyCacheTTL(1) // a new connection asks the sentinels anew
            .setMaxPoolSize(MOST)
            .setMaxPoolWaiting(MOST);
    List<String> endpoints = new ArrayList<>(options.getEndpoints());
    if (servers.topology() == Topology.CLUSTER) {
      String at = "$1" + Matcher.quoteReplacement(node.toString());
      own.setType(RedisClientType.STANDALONE);
      endpoints = List.of(endpoints.get(0).replaceFirst("(://(?:[^/?]*@)?)[^/?]*", at));
    } else if (servers.topology() == Topology.SENTINEL) {
      // A client waits for its first sentinel as long as that is silent: the next client begins
      // with another one. Those that want no login are not offered one.
      Collections.rotate(endpoints, -1);
      options.setEndpoints(List.copyOf(endpoints));
      endpoints.sort(Comparator.comparing(url -> url.contains("@")));
    }
    return Redis.createClient(vertx, own.setEndpoints(endpoints));
  }

  /** Closes a client and its connections. Does not wait. */
  static void close(Redis client) {
    try { // returns nothing in 4.5 and a future in 5: a compiled call would fit one of them
      Redis.class.getMethod("close").invoke(client);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Redis.close", e);
    }
  }
}
