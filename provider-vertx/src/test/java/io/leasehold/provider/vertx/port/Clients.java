package io.leasehold.provider.vertx.port;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.TlsFactories;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.InvalidConfigurationException;
import io.vertx.core.Vertx;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.ProtocolVersion;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.RedisRole;
import io.vertx.redis.client.Request;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Clients of the driver, one for each connection. The driver has no other public way to close a
 * connection on which the server is silent, perhaps in the middle of the login: it would keep its
 * place in a common pool. A client whose connection ended by itself is used again, because Vert.x
 * 5.1 keeps every closed one until it is closed itself.
 *
 * @param greeting what is still to be sent when the driver has logged in
 * @param lent the application's client, of one server or one primary, instead of new ones
 * @param spare clients without a connection
 */
record Clients(
    RedisOptions options, List<RedisCommand> greeting, @Nullable Redis lent, Deque<Redis> spare) {

  Clients(RedisOptions options, List<RedisCommand> greeting, @Nullable Redis lent) {
    this(options, greeting, lent, new ArrayDeque<>());
  }

  /** As a URL says. The driver logs in with HELLO; behind sentinels it drops the name. */
  static Clients of(RedisServers servers, ConnectionSettings settings, int queueSize) {
    RedisOptions options =
        new RedisOptions()
            .setType(RedisClientType.valueOf(servers.topology().name()))
            .setMasterName(servers.masterName())
            .setNetClientOptions(net(settings))
            .setTopologyCacheTTL(1) // a new connection asks the sentinels anew
            .setMaxWaitingHandlers(queueSize)
            .setPreferredProtocolVersion(ProtocolVersion.RESP2);
    String scheme = settings.tls().isPresent() ? "rediss://" : "redis://";
    for (String login : logins(servers, settings)) {
      servers.endpoints().forEach(at -> options.addConnectionString(scheme + login + at));
    }
    return new Clients(options, settings.greeting(Endpoint.data("primary", 0)), null);
  }

  /**
   * What to log in with. The driver has one login for sentinels and servers. Most sentinels have
   * none: they accept the password of the default user, but no other user. So it tries both; the
   * greeting logs in to the server in any case.
   */
  private static List<String> logins(RedisServers servers, ConnectionSettings settings) {
    if (settings.password().isEmpty()) {
      return List.of("");
    }
    boolean sentinel = servers.topology() == RedisServers.Topology.SENTINEL;
    String user = encoded(settings.user().orElse(""));
    String login = ":" + encoded(settings.password().get().reveal()) + "@";
    if (!sentinel) {
      return List.of(user + login);
    }
    // The driver writes the user into a second URL, and does not encode it there.
    return user.isEmpty() ? List.of(login, "") : List.of("", encoded(user) + login);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static NetClientOptions net(ConnectionSettings settings) {
    int timeout = (int) settings.connectTimeout().toMillis();
    NetClientOptions net =
        new NetClientOptions().setTcpKeepAlive(true).setTcpNoDelay(true).setConnectTimeout(timeout);
    net.setSslHandshakeTimeout(timeout).setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
    settings
        .tls()
        .ifPresent(
            tls -> {
              net.setSsl(true).setHostnameVerificationAlgorithm(tls.verifiesHost() ? "HTTPS" : "");
              net.setTrustOptions(TrustOptions.wrap(TlsFactories.of(tls.trust())));
              tls.keys()
                  .map(keys -> KeyCertOptions.wrap(TlsFactories.of(keys)))
                  .ifPresent(net::setKeyCertOptions);
            });
    return net;
  }

  /** As the options of an application say, apart from what would not lead to a primary. */
  static Clients of(RedisOptions given) {
    if (given.getType() == RedisClientType.REPLICATION) {
      throw unsupported(
          "Options of type REPLICATION do not say which server may keep locks: use sentinels,"
              + " or STANDALONE with the endpoint of the primary");
    }
    Clients clients =
        new Clients(
            new RedisOptions(given)
                .setPreferredProtocolVersion(ProtocolVersion.RESP2)
                .setRole(RedisRole.MASTER)
                .setTopologyCacheTTL(1)
                .setAutoFailover(false), // it exchanges connections, and forgets subscriptions
            List.of(),
            null);
    if (clients.clustered()) {
      clients.seeds(); // are readable
    }
    return clients;
  }

  static InvalidConfigurationException unsupported(String message) {
    return new InvalidConfigurationException(ErrorCode.UNSUPPORTED, "client", message);
  }

  boolean clustered() {
    return options.getType() == RedisClientType.CLUSTER;
  }

  /** A client of the one server, or of the primary that sentinels name. */
  Redis create(Vertx vertx) {
    Redis ready = lent == null ? spare.poll() : lent;
    if (ready != null) {
      return ready;
    }
    if (options.getType() == RedisClientType.SENTINEL) {
      // Each client begins with the first sentinel, and waits for it as long as it is silent.
      List<String> rotated = new ArrayList<>(options.getEndpoints());
      Collections.rotate(rotated, -1);
      options.setEndpoints(rotated);
    }
    return Redis.createClient(vertx, new RedisOptions(options));
  }

  /** Takes back a client without a connection. */
  void reuse(Redis client) {
    if (lent == null) {
      spare.push(client);
    }
  }

  /** Closes the clients that are not in use. */
  void closeSpare() {
    spare.forEach(client -> close(client, null));
    spare.clear();
  }

  /** Closes a connection, and with it the client unless that is lent. Does not wait. */
  void close(Redis client, @Nullable RedisConnection connection) {
    if (lent == null) {
      try { // returns nothing in 4.5 and a future in 5: a compiled call would fit one of them
        Redis.class.getMethod("close").invoke(client);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("Redis.close", e);
      }
    } else if (connection != null) {
      // A pool keeps what is closed, silent or not, unless it was used for subscriptions.
      connection.send(Request.cmd(Command.UNSUBSCRIBE)).onComplete(sent -> connection.close());
    }
  }

  /** Clients of one node of a cluster. */
  Clients node(Endpoint node) {
    URI first = uri(options.getEndpoint());
    String login = first.getRawUserInfo() == null ? "" : first.getRawUserInfo() + "@";
    String query = first.getRawQuery() == null ? "" : "?" + first.getRawQuery();
    return new Clients(
        new RedisOptions(options)
            .setType(RedisClientType.STANDALONE)
            .setEndpoints(new ArrayList<>())
            .addConnectionString(first.getScheme() + "://" + login + node + query),
        greeting,
        null);
  }

  /** The nodes of a cluster that are known from the beginning. */
  List<Endpoint> seeds() {
    return options.getEndpoints().stream()
        .map(Clients::uri)
        .map(at -> Endpoint.data(at.getHost().replaceAll("[\\[\\]]", ""), at.getPort()))
        .toList();
  }

  private static URI uri(String endpoint) {
    try {
      URI uri = URI.create(endpoint);
      if (uri.getHost() != null && uri.getPort() > 0) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Its message may quote a password.
    }
    throw unsupported("The endpoints of a cluster must be redis:// URLs with host and port");
  }
}
