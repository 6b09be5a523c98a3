package io.leasehold.provider.lettuce;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.Tls;
import io.leasehold.spi.Secret;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * A client that is made for a driver and set up for locks: it never sends a command twice, never
 * keeps one for later, and never reconnects or times out by itself.
 */
final class OwnClient implements Connector {
  private static final int THREADS = 2;
  private static final long CLOSE_MILLIS = 1000;

  private final ClientResources resources;
  private final boolean shared;
  private final RedisClient client;
  private final Function<Endpoint, RedisURI> uris;

  private OwnClient(
      ClientResources resources,
      boolean shared,
      ClientOptions.Builder options,
      DisconnectedBehavior disconnected,
      Function<Endpoint, RedisURI> uris) {
    this.resources = resources;
    this.shared = shared;
    this.uris = uris;
    this.client = RedisClient.create(resources);
    client.setOptions(
        options
            .autoReconnect(false)
            .disconnectedBehavior(disconnected)
            .timeoutOptions(TimeoutOptions.create())
            // On by default; they would change timeouts and addresses behind our back.
            .maintNotificationsConfig(MaintNotificationsConfig.disabled())
            .build());
  }

  /** With threads of its own. */
  static OwnClient of(ConnectionSettings settings) {
    return new OwnClient(
        ClientResources.builder()
            .ioThreadPoolSize(THREADS)
            .computationThreadPoolSize(THREADS)
            .commandLatencyRecorder(CommandLatencyRecorder.disabled())
            .build(),
        false,
        options(settings),
        DisconnectedBehavior.REJECT_COMMANDS,
        server -> uri(settings, server));
  }

  /**
   * With the threads, the options and the credentials of a cluster's client, which has no way to
   * make a connection to one node that would be its user's own.
   */
  static OwnClient besides(RedisClusterClient cluster, RedisURI anyNode) {
    return new OwnClient(
        cluster.getResources(),
        true,
        cluster.getOptions().mutate(),
        // With credentials that come late a connection is reported before it is active.
        DisconnectedBehavior.ACCEPT_COMMANDS,
        server ->
            RedisURI.builder(anyNode).withHost(server.host()).withPort(server.port()).build());
  }

  @Override
  public RedisClient client() {
    return client;
  }

  @Override
  public RedisURI uri(Endpoint server) {
    return uris.apply(server);
  }

  /** Closes all connections and ends all threads; waits for them, but not for a server. */
  @Override
  public void close() {
    await(client.shutdownAsync(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS));
    if (!shared) {
      await(resources.shutdown(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS));
    }
  }

  private static ClientOptions.Builder options(ConnectionSettings settings) {
    ClientOptions.Builder options =
        ClientOptions.builder()
            // Nothing here needs RESP3, and its HELLO needs a permission of its own.
            .protocolVersion(ProtocolVersion.RESP2)
            .socketOptions(
                SocketOptions.builder()
                    .connectTimeout(settings.connectTimeout())
                    // A subscription may be silent for hours: let the kernel notice a dead peer.
                    .keepAlive(
                        KeepAliveOptions.builder()
                            .enable()
                            .idle(Duration.ofSeconds(30))
                            .interval(Duration.ofSeconds(5))
                            .count(3)
                            .build())
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

  static RedisURI uri(ConnectionSettings settings, Endpoint server) {
    RedisURI.Builder uri =
        RedisURI.Builder.redis(server.host(), server.port())
            .withTimeout(settings.connectTimeout())
            // Servers before 7.2 answer CLIENT SETINFO with errors, two for each connection.
            .withLibraryName("")
            .withLibraryVersion("");
    settings
        .tls()
        .ifPresent(
            tls ->
                uri.withSsl(true)
                    .withVerifyPeer(tls.verifiesHost() ? SslVerifyMode.FULL : SslVerifyMode.CA));
    if (server.kind() == Endpoint.Kind.DATA) {
      uri.withDatabase(settings.database());
      settings.clientName().ifPresent(uri::withClientName);
      settings
          .password()
          .ifPresent(password -> uri.withAuthentication(credentials(settings.user(), password)));
    }
    return uri.build();
  }

  /**
   * Credentials that are there at once. What {@link RedisURI.Builder#withAuthentication(String,
   * char[])} makes is resolved on the common pool, and then Lettuce may report a connection before
   * it is active: its first commands would be refused.
   */
  private static RedisCredentialsProvider credentials(Optional<String> user, Secret password) {
    char[] revealed = password.reveal().toCharArray();
    return new StaticCredentialsProvider(user.orElse(null), revealed);
  }

  /** Waits for a bounded time, in spite of interruption: what is closed leaves nothing behind. */
  static void await(Future<?> end) {
    boolean interrupted = false;
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS);
    while (true) {
      try {
        end.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException | TimeoutException e) {
        break; // the threads are daemons and end as soon as they can
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
