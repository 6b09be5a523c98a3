package io.leasehold.provider.lettuce;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Ending;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.Tls;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.Secret;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Makes clients of Lettuce as URLs say. */
final class LettuceClients {
  private static final int THREADS = 2;
  static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration REFRESH = Duration.ofSeconds(10);
  private static final Duration QUICK_REFRESH = Duration.ofMillis(250);

  private LettuceClients() {}

  /** A port with a client of its own. */
  static LettucePort open(
      RedisServers servers, ConnectionSettings settings, PortContext context, int queueSize) {
    ClientResources resources =
        ClientResources.builder()
            .ioThreadPoolSize(THREADS)
            .computationThreadPoolSize(THREADS)
            .commandLatencyRecorder(CommandLatencyRecorder.disabled())
            .build();
    if (servers.topology() == RedisServers.Topology.CLUSTER) {
      RedisClusterClient client =
          RedisClusterClient.create(
              resources, servers.endpoints().stream().map(node -> server(settings, node)).toList());
      client.setOptions(clusterOptions(settings, queueSize));
      return new LettucePort(Connections.of(client), context, () -> shutdown(client, resources));
    }
    RedisClient client = RedisClient.create(resources);
    client.setOptions(with(ClientOptions.builder(), settings, queueSize).build());
    List<RedisURI> uris =
        servers.topology() == RedisServers.Topology.SENTINEL
            ? List.of(sentinel(settings, servers, false), sentinel(settings, servers, true))
            : List.of(server(settings, servers.endpoints().get(0)));
    return new LettucePort(
        Connections.of(client, uris), context, () -> shutdown(client, resources));
  }

  private static void shutdown(AbstractRedisClient client, ClientResources resources) {
    Ending.await(
        client.shutdownAsync(0, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS), CLOSE_TIMEOUT);
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    resources
        .shutdown(0, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
        .addListener(future -> ended.complete(true));
    Ending.await(ended, CLOSE_TIMEOUT);
  }

  @SuppressWarnings("deprecation") // adaptive refresh is the default from 7 on, but not in 6
  private static ClusterClientOptions clusterOptions(ConnectionSettings settings, int queueSize) {
    ClusterClientOptions.Builder options = ClusterClientOptions.builder();
    with(options, settings, queueSize);
    return options
        .topologyRefreshOptions(
            ClusterTopologyRefreshOptions.builder()
                .enablePeriodicRefresh(REFRESH)
                .enableAllAdaptiveRefreshTriggers()
                .adaptiveRefreshTriggersTimeout(QUICK_REFRESH)
                .build())
        .build();
  }

  /** Options of a client whose connections are used until they break. */
  private static ClientOptions.Builder with(
      ClientOptions.Builder options, ConnectionSettings settings, int queueSize) {
    KeepAliveOptions keepAlive =
        KeepAliveOptions.builder()
            .enable()
            .idle(Duration.ofSeconds(30))
            .interval(Duration.ofSeconds(5))
            .count(3)
            .build();
    options
        .autoReconnect(false)
        .requestQueueSize(queueSize)
        // Nothing here needs RESP3, and its HELLO needs a permission of its own.
        .protocolVersion(ProtocolVersion.RESP2)
        .socketOptions(
            SocketOptions.builder()
                .connectTimeout(settings.connectTimeout())
                .keepAlive(keepAlive)
                .build());
    settings.tls().ifPresent(tls -> options.sslOptions(sslOptions(tls, settings)));
    return options;
  }

  private static SslOptions sslOptions(Tls tls, ConnectionSettings settings) {
    return SslOptions.builder()
        .jdkSslProvider()
        .handshakeTimeout(settings.connectTimeout())
        .sslContext(
            context -> {
              context.trustManager(tls.trust());
              tls.keys().ifPresent(context::keyManager);
            })
        .build();
  }

  static RedisURI server(ConnectionSettings settings, Endpoint server) {
    return data(RedisURI.Builder.redis(server.host(), server.port()), settings).build();
  }

  /**
   * @param login whether the sentinels want the login of the servers
   */
  private static RedisURI sentinel(
      ConnectionSettings settings, RedisServers servers, boolean login) {
    Endpoint first = servers.endpoints().get(0);
    RedisURI.Builder uri = RedisURI.Builder.sentinel(first.host(), first.port());
    uri.withSentinelMasterId(servers.masterName());
    RedisURI built = data(uri, settings).build();
    built.getSentinels().clear();
    for (Endpoint sentinel : servers.endpoints()) {
      RedisURI.Builder one =
          encrypted(RedisURI.Builder.redis(sentinel.host(), sentinel.port()), settings);
      if (login) {
        authenticated(one, settings);
      }
      built.getSentinels().add(one.build());
    }
    return built;
  }

  private static RedisURI.Builder data(RedisURI.Builder uri, ConnectionSettings settings) {
    encrypted(uri, settings).withDatabase(settings.database());
    settings.clientName().ifPresent(uri::withClientName);
    return authenticated(uri, settings);
  }

  private static RedisURI.Builder encrypted(RedisURI.Builder uri, ConnectionSettings settings) {
    uri.withTimeout(settings.connectTimeout())
        // Servers before 7.2 answer CLIENT SETINFO with errors, two for each connection.
        .withLibraryName("")
        .withLibraryVersion("");
    settings
        .tls()
        .map(tls -> tls.verifiesHost() ? SslVerifyMode.FULL : SslVerifyMode.CA)
        .ifPresent(verify -> uri.withSsl(true).withVerifyPeer(verify));
    return uri;
  }

  /** With credentials that are there at once: others are resolved on another thread. */
  private static RedisURI.Builder authenticated(RedisURI.Builder uri, ConnectionSettings settings) {
    settings
        .password()
        .map(Secret::reveal)
        .map(
            password ->
                new StaticCredentialsProvider(settings.user().orElse(null), password.toCharArray()))
        .ifPresent(uri::withAuthentication);
    return uri;
  }
}
