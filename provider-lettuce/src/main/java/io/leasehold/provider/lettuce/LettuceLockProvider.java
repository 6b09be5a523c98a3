package io.leasehold.provider.lettuce;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Ending;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisLockProvider;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.Tls;
import io.leasehold.redis.TlsFactories;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Keeps locks on Redis servers with the Lettuce driver, versions 6.6 to 7.7. Lettuce finds the
 * servers, connects, logs in and encrypts: as the URL says and as {@linkplain #configured settings}
 * of the application say, or as a {@linkplain #using client} of the application does.
 */
public final class LettuceLockProvider extends RedisLockProvider {
  private static final String NAME = "lettuce";

  /** How many requests may wait for their replies before further ones are refused. */
  static final OptionKey<Integer> QUEUE_SIZE =
      OptionKey.integer("lettuce.queueSize", Optional.of(10_000), 10, 10_000_000);

  private final Consumer<Settings> customizer;

  /** Made by {@link java.util.ServiceLoader}. */
  public LettuceLockProvider() {
    this(settings -> {});
  }

  private LettuceLockProvider(Consumer<Settings> customizer) {
    super(NAME, QUEUE_SIZE);
    this.customizer = customizer;
  }

  /**
   * As {@link #LettuceLockProvider()}, with settings that a URL cannot express.
   *
   * @param customizer changes the settings of each client before it is made
   */
  public static LockProvider configured(Consumer<Settings> customizer) {
    return new LettuceLockProvider(customizer);
  }

  /**
   * Keeps locks with a client of the application, on connections that it makes as its options and
   * the URI say. They are closed with the locks, and when they break. The client is never closed;
   * close the locks before it.
   *
   * <p>With {@code autoReconnect}, Lettuce may repeat what was under way on a connection that
   * broke. The client's {@code requestQueueSize} and {@code timeoutOptions} hold where they are
   * stricter than the options of the URL.
   */
  public static LockProvider using(RedisClient client, RedisURI uri) {
    Endpoint server = Connector.label(uri);
    return given(
        uri.getSentinels().isEmpty()
            ? RedisServers.one(server)
            : RedisServers.foundByDriver(server),
        new Connector(client, uri));
  }

  /**
   * As {@link #using(RedisClient, RedisURI)}, on a cluster. The owners of keys are those that the
   * client knows; it is asked to look again when a server redirects or cannot be reached.
   */
  public static LockProvider using(RedisClusterClient client) {
    return given(RedisServers.cluster(List.of()), new Connector(client));
  }

  private static LockProvider given(RedisServers servers, Connector connector) {
    return onClient(
        NAME,
        new Client() {
          @Override
          public RedisServers servers() {
            return servers;
          }

          @Override
          public DriverPort open(LockUrl url, PortContext context) {
            return new LettucePort(connector, context, () -> {});
          }
        });
  }

  @Override
  protected DriverPort open(
      LockUrl url, RedisServers servers, ConnectionSettings connections, PortContext context) {
    ClientOptions.Builder options =
        servers.topology() == RedisServers.Topology.CLUSTER
            ? ClusterClientOptions.builder().validateClusterNodeMembership(false)
            : ClientOptions.builder();
    SocketOptions.Builder sockets =
        SocketOptions.builder().connectTimeout(connections.connectTimeout()).keepAlive(true);
    options
        .autoReconnect(false)
        .requestQueueSize(url.get(QUEUE_SIZE))
        // Nothing here needs RESP3, and its HELLO needs a permission of its own.
        .protocolVersion(ProtocolVersion.RESP2)
        .socketOptions(sockets.build());
    connections.tls().map(tls -> sslOptions(tls, connections)).ifPresent(options::sslOptions);
    Settings settings =
        new Settings(options, ClientResources.builder(), uris(servers, connections));
    customizer.accept(settings);
    ClientResources resources = settings.resources().build();
    if (settings.options().build() instanceof ClusterClientOptions clusterOptions) {
      RedisClusterClient client = RedisClusterClient.create(resources, settings.uris());
      client.setOptions(clusterOptions);
      return new LettucePort(new Connector(client), context, () -> shutdown(client, resources));
    }
    RedisClient client = RedisClient.create(resources);
    client.setOptions(settings.options().build());
    Connector connector = new Connector(client, settings.uris().get(0));
    return new LettucePort(connector, context, () -> shutdown(client, resources));
  }

  private static void shutdown(AbstractRedisClient client, ClientResources resources) {
    Ending.await(client.shutdownAsync(0, 1, TimeUnit.SECONDS), LettucePort.CLOSE_TIMEOUT);
    Ending.await(resources.shutdown(0, 1, TimeUnit.SECONDS), LettucePort.CLOSE_TIMEOUT);
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
    List<RedisURI> all = servers.endpoints().stream().map(each -> server(each, settings)).toList();
    if (servers.topology() != RedisServers.Topology.SENTINEL) {
      return all;
    }
    RedisURI primary = all.get(0);
    primary.setSentinelMasterId(servers.masterName());
    List<RedisURI> sentinels = primary.getSentinels();
    servers.endpoints().forEach(each -> sentinels.add(at(each, settings)));
    // Sentinels may want the login of the servers. All are tried without it before.
    servers.endpoints().forEach(each -> sentinels.add(authenticated(at(each, settings), settings)));
    return List.of(primary);
  }

  private static RedisURI server(Endpoint endpoint, ConnectionSettings settings) {
    RedisURI uri = authenticated(at(endpoint, settings), settings);
    uri.setDatabase(settings.database());
    settings.clientName().ifPresent(uri::setClientName);
    return uri;
  }

  private static RedisURI at(Endpoint endpoint, ConnectionSettings settings) {
    RedisURI uri = new RedisURI(endpoint.host(), endpoint.port(), settings.connectTimeout());
    // Servers before 7.2 answer CLIENT SETINFO with errors, two for each connection.
    uri.setLibraryName("");
    uri.setLibraryVersion("");
    uri.setSsl(settings.tls().isPresent());
    boolean full = settings.tls().filter(Tls::verifiesHost).isPresent();
    uri.setVerifyPeer(full ? SslVerifyMode.FULL : SslVerifyMode.CA);
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

  /**
   * What a client of Lettuce is made from, filled in as the URL says.
   *
   * @param options on a cluster a {@link io.lettuce.core.cluster.ClusterClientOptions.Builder}
   * @param resources shut down with the locks
   * @param uris of the servers that the URL names, or one with the sentinels; to be changed
   */
  public record Settings(
      ClientOptions.Builder options, ClientResources.Builder resources, List<RedisURI> uris) {}
}
