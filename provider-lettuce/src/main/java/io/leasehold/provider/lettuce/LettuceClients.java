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
  static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration REFRESH = Duration.ofSeconds(10);
  private static final Duration PROBE = Duration.ofSeconds(10);
  private static final int THREADS = 2;

  private LettuceClients() {}

  /** A port with a client of its own. */
  static LettucePort open(
      RedisServers servers,
      ConnectionSettings connections,
      PortContext context,
      int queueSize,
      Consumer<Settings> customizer) {
    Settings settings =
        new Settings(
            options(servers, connections, queueSize),
            ClientResources.builder()
                .ioThreadPoolSize(THREADS)
                .computationThreadPoolSize(THREADS)
                .commandLatencyRecorder(CommandLatencyRecorder.disabled()),
            uris(servers, connections));
    customizer.accept(settings);
    ClientResources resources = settings.resources().build();
    if (settings.options().build() instanceof ClusterClientOptions options) {
      RedisClusterClient client = RedisClusterClient.create(resources, settings.uris());
      client.setOptions(options);
      return new LettucePort(new Connector(client), context, () -> shutdown(client, resources));
    }
    RedisClient client = RedisClient.create(resources);
    client.setOptions(settings.options().build());
    Connector connector = new Connector(client, settings.uris().get(0));
    return new LettucePort(connector, context, () -> shutdown(client, resources));
  }

  private static void shutdown(AbstractRedisClient client, ClientResources resources) {
    long millis = CLOSE_TIMEOUT.toMillis();
    Ending.await(client.shutdownAsync(0, millis, TimeUnit.MILLISECONDS), CLOSE_TIMEOUT);
    Ending.await(resources.shutdown(0, millis, TimeUnit.MILLISECONDS), CLOSE_TIMEOUT);
  }

  private static ClientOptions.Builder options(
      RedisServers servers, ConnectionSettings settings, int queueSize) {
    ClientOptions.Builder options =
        servers.topology() == RedisServers.Topology.CLUSTER
            ? ClusterClientOptions.builder()
                .validateClusterNodeMembership(false)
                .topologyRefreshOptions(
                    ClusterTopologyRefreshOptions.builder().enablePeriodicRefresh(REFRESH).build())
            : ClientOptions.builder();
    KeepAliveOptions keepAlive =
        KeepAliveOptions.builder().enable().idle(PROBE).interval(PROBE).count(3).build();
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
    settings.tls().map(tls -> sslOptions(tls, settings)).ifPresent(options::sslOptions);
    return options;
  }

  private static SslOptions sslOptions(Tls tls, ConnectionSettings settings) {
    SslOptions.Builder options =
        SslOptions.builder()
            .handshakeTimeout(settings.connectTimeout())
            .trustManager(TlsFactories.of(tls.trust()));
    tls.keys().map(TlsFactories::of).ifPresent(options::keyManager);
    return options.build();
  }

  /** One for each server; for Sentinel one that names the sentinels. */
  static List<RedisURI> uris(RedisServers servers, ConnectionSettings settings) {
    if (servers.topology() != RedisServers.Topology.SENTINEL) {
      return servers.endpoints().stream().map(each -> data(at(each, settings), settings)).toList();
    }
    RedisURI primary = data(at(servers.endpoints().get(0), settings), settings);
    primary.setSentinelMasterId(servers.masterName());
    List<RedisURI> sentinels = primary.getSentinels();
    servers.endpoints().forEach(each -> sentinels.add(at(each, settings)));
    // Sentinels may want the login of the servers. All are tried without it before.
    servers.endpoints().forEach(each -> sentinels.add(authenticated(at(each, settings), settings)));
    return List.of(primary);
  }

  private static RedisURI at(Endpoint endpoint, ConnectionSettings settings) {
    RedisURI uri = new RedisURI(endpoint.host(), endpoint.port(), settings.connectTimeout());
    // Servers before 7.2 answer CLIENT SETINFO with errors, two for each connection.
    uri.setLibraryName("");
    uri.setLibraryVersion("");
    settings.tls().ifPresent(tls -> uri.setSsl(true));
    settings
        .tls()
        .map(tls -> tls.verifiesHost() ? SslVerifyMode.FULL : SslVerifyMode.CA)
        .ifPresent(uri::setVerifyPeer);
    return uri;
  }

  /** With credentials that are there at once: others are resolved on another thread. */
  private static RedisURI authenticated(RedisURI uri, ConnectionSettings settings) {
    String user = settings.user().orElse(null);
    settings
        .password()
        .map(password -> new StaticCredentialsProvider(user, password.reveal().toCharArray()))
        .ifPresent(uri::setCredentialsProvider);
    return uri;
  }

  private static RedisURI data(RedisURI uri, ConnectionSettings settings) {
    uri.setDatabase(settings.database());
    settings.clientName().ifPresent(uri::setClientName);
    return authenticated(uri, settings);
  }
}
