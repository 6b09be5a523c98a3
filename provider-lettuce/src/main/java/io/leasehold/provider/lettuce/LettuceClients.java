package io.leasehold.provider.lettuce;

import io.leasehold.provider.lettuce.LettuceLockProvider.Settings;
import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Ending;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.Tls;
import io.leasehold.redis.TlsFactories;
import io.leasehold.redis.driver.PortContext;
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
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Makes clients of Lettuce as URLs say. */
final class LettuceClients {
  private static final int THREADS = 2;
  static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration REFRESH = Duration.ofSeconds(10);

  private LettuceClients() {}

  /** A port with a client of its own. */
  static LettucePort open(
      RedisServers servers,
      ConnectionSettings connections,
      PortContext context,
      int queueSize,
      Consumer<Settings> customizer) {
    boolean cluster = servers.topology() == RedisServers.Topology.CLUSTER;
    Settings settings =
        new Settings(
            options(cluster, connections, queueSize),
            ClientResources.builder()
                .ioThreadPoolSize(THREADS)
                .computationThreadPoolSize(THREADS)
                .commandLatencyRecorder(CommandLatencyRecorder.disabled()),
            servers.topology() == RedisServers.Topology.SENTINEL
                ? List.of(sentinel(connections, servers))
                : servers.endpoints().stream().map(node -> server(connections, node)).toList());
    customizer.accept(settings);
    ClientOptions options = settings.options().build();
    ClientResources resources = settings.resources().build();
    if (options instanceof ClusterClientOptions clusterOptions) {
      RedisClusterClient client = RedisClusterClient.create(resources, settings.uris());
      client.setOptions(clusterOptions);
      return new LettucePort(new Connector(client), context, () -> shutdown(client, resources));
    }
    RedisClient client = RedisClient.create(resources);
    client.setOptions(options);
    return new LettucePort(
        new Connector(client, settings.uris().get(0)), context, () -> shutdown(client, resources));
  }

  private static void shutdown(AbstractRedisClient client, ClientResources resources) {
    long millis = CLOSE_TIMEOUT.toMillis();
    Ending.await(client.shutdownAsync(0, millis, TimeUnit.MILLISECONDS), CLOSE_TIMEOUT);
    Ending.await(resources.shutdown(0, millis, TimeUnit.MILLISECONDS), CLOSE_TIMEOUT);
  }

  /** Options of a client whose connections are used until they break. */
  private static ClientOptions.Builder options(
      boolean cluster, ConnectionSettings settings, int queueSize) {
    ClientOptions.Builder options = cluster ? clusterOptions() : ClientOptions.builder();
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

  private static ClusterClientOptions.Builder clusterOptions() {
    return ClusterClientOptions.builder()
        .topologyRefreshOptions(
            ClusterTopologyRefreshOptions.builder().enablePeriodicRefresh(REFRESH).build());
  }

  private static SslOptions sslOptions(Tls tls, ConnectionSettings settings) {
    SslOptions.Builder options =
        SslOptions.builder()
            .jdkSslProvider()
            .handshakeTimeout(settings.connectTimeout())
            .trustManager(TlsFactories.of(tls.trust()));
    tls.keys().ifPresent(keys -> options.keyManager(TlsFactories.of(keys)));
    return options.build();
  }

  static RedisURI server(ConnectionSettings settings, Endpoint server) {
    return data(at(server, settings), settings).build();
  }

  /** Sentinels may want the login of the servers; all are asked without one before. */
  private static RedisURI sentinel(ConnectionSettings settings, RedisServers servers) {
    RedisURI.Builder uri = RedisURI.builder().withSentinelMasterId(servers.masterName());
    servers.endpoints().forEach(each -> uri.withSentinel(at(each, settings).build()));
    if (settings.password().isPresent()) {
      servers
          .endpoints()
          .forEach(each -> uri.withSentinel(authenticated(at(each, settings), settings).build()));
    }
    return data(encrypted(uri, settings), settings).build();
  }

  private static RedisURI.Builder data(RedisURI.Builder uri, ConnectionSettings settings) {
    uri.withDatabase(settings.database());
    settings.clientName().ifPresent(uri::withClientName);
    return authenticated(uri, settings);
  }

  private static RedisURI.Builder at(Endpoint endpoint, ConnectionSettings settings) {
    return encrypted(RedisURI.Builder.redis(endpoint.host(), endpoint.port()), settings);
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
    String user = settings.user().orElse(null);
    settings
        .password()
        .map(password -> new StaticCredentialsProvider(user, password.reveal().toCharArray()))
        .ifPresent(uri::withAuthentication);
    return uri;
  }
}
