package io.leasehold.provider.lettuce;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Ending;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.Outbox;
import io.leasehold.redis.Tls;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * How connections are made: by which client, and with which URI for an endpoint.
 *
 * @param outboxes where what is sent on a connection is put
 * @param ending ends what was made for a driver, and nothing that the application handed in
 */
record Connector(
    RedisClient client,
    Function<Endpoint, RedisURI> uris,
    Function<StatefulConnection<?, ?>, Outbox> outboxes,
    Runnable ending) {
  private static final int THREADS = 2;
  static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  /** With a client of its own, on threads of its own. */
  static Connector own(ConnectionSettings settings) {
    Gated gated = new Gated();
    ClientResources resources =
        ClientResources.builder()
            .ioThreadPoolSize(THREADS)
            .computationThreadPoolSize(THREADS)
            .commandLatencyRecorder(CommandLatencyRecorder.disabled())
            .nettyCustomizer(gated)
            .build();
    RedisClient client =
        forLocks(resources, options(settings), DisconnectedBehavior.REJECT_COMMANDS);
    return new Connector(
        client,
        server -> uri(settings, server),
        gated::outbox,
        () -> {
          shutdown(client);
          Ending.await(
              resources.shutdown(0, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS),
              CLOSE_TIMEOUT);
        });
  }

  /** With the application's client and the URI that it uses. */
  static Connector given(RedisClient client, RedisURI uri) {
    // Where there are sentinels, Lettuce asks them for each connection.
    return new Connector(client, server -> uri, connection -> Outbox.ofCallers(), () -> {});
  }

  /**
   * With the threads, the options and the credentials of a cluster's client, which has no way to
   * make a connection to one node that would be its user's own.
   */
  static Connector besides(RedisClusterClient cluster, RedisURI anyNode) {
    RedisClient client =
        forLocks(
            cluster.getResources(),
            cluster.getOptions().mutate(),
            // With credentials that come late a connection is reported before it is active.
            DisconnectedBehavior.ACCEPT_COMMANDS);
    return new Connector(
        client,
        server -> RedisURI.builder(anyNode).withHost(server.host()).withPort(server.port()).build(),
        connection -> Outbox.ofCallers(),
        () -> shutdown(client));
  }

  /**
   * A client that never sends a command twice, never keeps one for later, and never reconnects or
   * times out by itself.
   */
  private static RedisClient forLocks(
      ClientResources resources, ClientOptions.Builder options, DisconnectedBehavior disconnected) {
    RedisClient client = RedisClient.create(resources);
    client.setOptions(
        options
            .autoReconnect(false)
            .disconnectedBehavior(disconnected)
            .timeoutOptions(TimeoutOptions.create())
            // On by default; they would change timeouts and addresses behind our back.
            .maintNotificationsConfig(MaintNotificationsConfig.disabled())
            .build());
    return client;
  }

  /** Closes all connections; waits for that, but not for a server. */
  private static void shutdown(RedisClient client) {
    Ending.await(
        client.shutdownAsync(0, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS), CLOSE_TIMEOUT);
  }

  private static ClientOptions.Builder options(ConnectionSettings settings) {
    // A subscription may be silent for hours: let the kernel notice a dead peer.
    KeepAliveOptions keepAlive =
        KeepAliveOptions.builder()
            .enable()
            .idle(Duration.ofSeconds(30))
            .interval(Duration.ofSeconds(5))
            .count(3)
            .build();
    ClientOptions.Builder options =
        ClientOptions.builder()
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

  static RedisURI uri(ConnectionSettings settings, Endpoint server) {
    RedisURI.Builder uri =
        RedisURI.Builder.redis(server.host(), server.port())
            .withTimeout(settings.connectTimeout())
            // Servers before 7.2 answer CLIENT SETINFO with errors, two for each connection.
            .withLibraryName("")
            .withLibraryVersion("");
    settings
        .tls()
        .map(tls -> tls.verifiesHost() ? SslVerifyMode.FULL : SslVerifyMode.CA)
        .ifPresent(verify -> uri.withSsl(true).withVerifyPeer(verify));
    if (server.kind() == Endpoint.Kind.DATA) {
      uri.withDatabase(settings.database());
      settings.clientName().ifPresent(uri::withClientName);
      // Credentials that are there at once. What withAuthentication(user, password) makes is
      // resolved on the common pool, and then Lettuce may report a connection before it is
      // active: its first commands would be refused.
      settings
          .password()
          .map(secret -> secret.reveal().toCharArray())
          .map(secret -> new StaticCredentialsProvider(settings.user().orElse(null), secret))
          .ifPresent(uri::withAuthentication);
    }
    return uri.build();
  }
}
