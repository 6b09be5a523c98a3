package io.leasehold.provider.vertx;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.RedisServers.Topology;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import io.leasehold.spi.Options.TlsVerify;
import io.leasehold.spi.Secret;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.ProtocolVersion;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisCluster;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.RedisRole;
import io.vertx.redis.client.Request;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * Clients of the driver, one for each server.
 *
 * @param greeting what is still to be sent when the driver has connected
 * @param lent the application's client, of one server or one primary, instead of new ones
 */
record Clients(
    RedisServers servers, RedisOptions options, List<RedisCommand> greeting, @Nullable Redis lent) {

  /** How many connections a client has at most. */
  static final int MOST_CONNECTIONS = 1_000;

  private static final int CALL_BACK_SECONDS = 5;

  /** What a URL says, except for the {@linkplain #greeting(ConnectionSettings) greeting}. */
  static RedisOptions options(
      LockUrl url, RedisServers servers, ConnectionSettings settings, int queueSize) {
    RedisOptions options =
        new RedisOptions()
            .setType(RedisClientType.valueOf(servers.topology().name()))
            .setMasterName(servers.masterName())
            .setNetClientOptions(net(url, settings))
            .setMaxWaitingHandlers(queueSize)
            .setPreferredProtocolVersion(ProtocolVersion.RESP2);
    String scheme = settings.tls().isPresent() ? "rediss://" : "redis://";
    servers.endpoints().forEach(at -> options.addConnectionString(scheme + at));
    if (servers.topology() == Topology.SENTINEL && settings.password().isPresent()) {
      // Sentinels that want a login: these are asked last. The driver writes the user into
      // further URLs, and does not encode it there.
      String user = encoded(encoded(settings.user().orElse("")));
      String login = user + ":" + encoded(settings.password().get().reveal()) + "@";
      servers.endpoints().forEach(at -> options.addConnectionString(scheme + login + at));
    }
    return options;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static NetClientOptions net(LockUrl url, ConnectionSettings settings) {
    int timeout = (int) settings.connectTimeout().toMillis();
    TlsVerify verify = url.get(Options.TLS_VERIFY);
    NetClientOptions net =
        new NetClientOptions()
            .setTcpKeepAlive(true)
            .setConnectTimeout(timeout)
            .setSsl(settings.tls().isPresent())
            .setHostnameVerificationAlgorithm(verify == TlsVerify.FULL ? "HTTPS" : "")
            .setTrustAll(verify == TlsVerify.OFF);
    net.setSslHandshakeTimeout(timeout).setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
    url.given(Options.TLS_CA)
        .ifPresent(file -> net.setTrustOptions(new PemTrustOptions().addCertPath(file)));
    PemKeyCertOptions keys = new PemKeyCertOptions();
    url.given(Options.TLS_CERT).ifPresent(file -> net.setKeyCertOptions(keys.setCertPath(file)));
    url.given(Options.TLS_KEY).ifPresent(keys::setKeyPath);
    return net;
  }

  /**
   * Login, database and name. The driver would do this, too, but not for a primary that sentinels
   * named, and a login that is refused would leave the connection open in 5.1.
   */
  static List<RedisCommand> greeting(ConnectionSettings settings) {
    List<RedisCommand> greeting = new ArrayList<>();
    settings
        .password()
        .map(Secret::reveal)
        .map(
            password ->
                settings
                    .user()
                    .map(user -> RedisCommand.of("AUTH", user, password))
                    .orElseGet(() -> RedisCommand.of("AUTH", password)))
        .ifPresent(greeting::add);
    if (settings.database() != 0) {
      greeting.add(RedisCommand.of("SELECT", settings.database()));
    }
    settings
        .clientName()
        .map(name -> RedisCommand.of("CLIENT", "SETNAME", name))
        .ifPresent(greeting::add);
    return greeting;
  }

  /** As options say, apart from what would not lead to one primary. */
  static Clients of(RedisServers servers, RedisOptions given, List<RedisCommand> greeting) {
    RedisOptions options =
        new RedisOptions(given)
            .setEndpoints(new ArrayList<>(given.getEndpoints()))
            .setRole(RedisRole.MASTER)
            .setAutoFailover(false) // it exchanges connections, and forgets subscriptions
            .setTopologyCacheTTL(1) // a new connection asks the sentinels anew
            .setMaxPoolSize(MOST_CONNECTIONS)
            .setMaxPoolWaiting(MOST_CONNECTIONS);
    return new Clients(servers, options, greeting, null);
  }

  /** The application's client. */
  static Clients of(Redis lent) {
    try {
      RedisCluster.create(lent);
    } catch (IllegalArgumentException notOfACluster) {
      Endpoint label = Endpoint.data("client", 0);
      RedisServers servers =
          lent.getClass().getSimpleName().equals("RedisClient") // only its name says the type
              ? RedisServers.one(label)
              : RedisServers.foundByDriver(label);
      return new Clients(servers, new RedisOptions(), List.of(), lent);
    }
    throw unsupported(
        "A Redis client of type CLUSTER chooses nodes and repeats commands by itself, which is"
            + " not for locks: use VertxLockProvider.using(vertx, options) with its options");
  }

  /** Where the servers are that options name. */
  static RedisServers servers(RedisOptions options) {
    List<Endpoint> endpoints = options.getEndpoints().stream().map(Clients::endpoint).toList();
    return switch (options.getType()) {
      case STANDALONE -> RedisServers.one(endpoints.get(0));
      case SENTINEL -> new RedisServers(Topology.SENTINEL, endpoints, options.getMasterName());
      case CLUSTER -> RedisServers.cluster(endpoints);
      case REPLICATION ->
          throw unsupported(
              "Options of type REPLICATION do not say which server may keep locks: use sentinels,"
                  + " or STANDALONE with the endpoint of the primary");
    };
  }

  private static Endpoint endpoint(String url) {
    try {
      URI uri = URI.create(url);
      int port = uri.getPort() < 0 ? io.leasehold.redis.RedisOptions.DEFAULT_PORT : uri.getPort();
      return uri.getHost() == null
          ? Endpoint.data("localhost", 0) // a socket of the operating system
          : Endpoint.data(uri.getHost().replaceAll("[\\[\\]]", ""), port);
    } catch (IllegalArgumentException e) { // its message may quote a password
      throw unsupported("An endpoint in the options is not a URL");
    }
  }

  private static InvalidConfigurationException unsupported(String message) {
    return new InvalidConfigurationException(ErrorCode.UNSUPPORTED, "client", message);
  }

  /** A client of the one server, of the primary that sentinels name, or of a node of a cluster. */
  Redis create(Vertx vertx, Endpoint node) {
    if (lent != null) {
      return lent;
    }
    RedisOptions own = new RedisOptions(options);
    if (servers.topology() == Topology.SENTINEL) {
      // A client waits for the first sentinel as long as that is silent: the next one begins with
      // another, but a login is offered to those alone that want one.
      Collections.rotate(options.getEndpoints(), -1);
      List<String> sentinels = new ArrayList<>(options.getEndpoints());
      sentinels.sort(Comparator.comparing(url -> url.contains("@")));
      own.setEndpoints(sentinels);
    } else if (servers.topology() == Topology.CLUSTER) {
      String at = "$1" + Matcher.quoteReplacement(node.toString());
      String url = options.getEndpoint().replaceFirst("(://(?:[^/?]*@)?)[^/?]*", at);
      own.setType(RedisClientType.STANDALONE).setEndpoints(List.of(url));
    }
    return Redis.createClient(vertx, own);
  }

  /** The Vert.x of the application's client, which the driver shows only where it calls back. */
  Vertx owner() {
    CompletableFuture<Context> found = new CompletableFuture<>();
    Runnable look = () -> Optional.ofNullable(Vertx.currentContext()).ifPresent(found::complete);
    look.run();
    Request refused = Request.cmd(Command.MULTI); // without having been sent
    Objects.requireNonNull(lent).send(refused).onComplete(done -> look.run());
    return found.orTimeout(CALL_BACK_SECONDS, TimeUnit.SECONDS).join().owner();
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
