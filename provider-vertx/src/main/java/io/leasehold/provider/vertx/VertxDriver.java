package io.leasehold.provider.vertx;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Ending;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisChannel;
import io.leasehold.redis.RedisDriver;
import io.leasehold.redis.RedisListening;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.internal.FutureInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Connections of the Vert.x Redis client. Each has a client of its own: closing that is the only
 * way to be rid of a connection on which the driver's own greeting, a PING, failed.
 */
final class VertxDriver implements RedisDriver {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

  final VertxInternal vertx;
  final int queueSize;
  final Set<VertxChannel> channels = ConcurrentHashMap.newKeySet();
  private final boolean ownsVertx;
  private final @Nullable Redis lent;
  private final ConnectionSettings settings;
  private final NetClientOptions net;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Makes connections, with the application's Vert.x or, without one, with its own. */
  VertxDriver(
      @Nullable Vertx given, ConnectionSettings settings, NetClientOptions net, int queueSize) {
    this(given == null ? small() : given, given == null, null, settings, net, queueSize);
  }

  /** Takes the connections of an application's client. */
  VertxDriver(Redis client, ConnectionSettings settings, int queueSize) {
    this(owner(client), false, client, settings, new NetClientOptions(), queueSize);
  }

  private VertxDriver(
      Vertx vertx,
      boolean ownsVertx,
      @Nullable Redis lent,
      ConnectionSettings settings,
      NetClientOptions net,
      int queueSize) {
    this.vertx = (VertxInternal) vertx;
    this.ownsVertx = ownsVertx;
    this.lent = lent;
    this.settings = settings;
    this.net =
        net.setConnectTimeout(connectTimeout())
            .setSslHandshakeTimeout(connectTimeout())
            .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
    this.queueSize = queueSize;
  }

  private static Vertx small() {
    return Vertx.vertx(
        new VertxOptions()
            .setEventLoopPoolSize(2)
            .setWorkerPoolSize(1)
            .setInternalBlockingPoolSize(1)
            .setUseDaemonThread(true)
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setFileCachingEnabled(false)
                    .setClassPathResolvingEnabled(false)));
  }

  /** A client hides its Vert.x; but the future of a batch of nothing knows it. */
  private static Vertx owner(Redis client) {
    if (client.batch(List.of()) instanceof FutureInternal<?> done && done.context() != null) {
      return done.context().owner();
    }
    throw new IllegalArgumentException("not a client made by Redis.createClient");
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public CompletionStage<? extends RedisChannel> open(Endpoint server, Runnable broken) {
    return start(new VertxChannel(this, server, broken));
  }

  @Override
  public CompletionStage<? extends RedisListening> listen(
      Endpoint server, byte[] channel, RedisListening.Events events) {
    return start(new VertxListening(this, server, channel, events));
  }

  private <C extends VertxChannel> CompletionStage<C> start(C channel) {
    channels.add(channel);
    if (closed.get()) {
      channel.close();
    }
    @SuppressWarnings("unchecked") // it completes with itself
    CompletionStage<C> opened = (CompletionStage<C>) channel.open();
    return opened;
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    List<VertxChannel> last = List.copyOf(channels);
    last.forEach(VertxChannel::close);
    CompletableFuture<Void> end =
        CompletableFuture.allOf(
            last.stream().map(VertxChannel::ended).toArray(CompletableFuture<?>[]::new));
    if (ownsVertx) {
      end = closeVertxAfter(end);
    }
    if (!Context.isOnEventLoopThread()) {
      Ending.await(end, CLOSE_TIMEOUT);
    }
  }

  /**
   * Ends the event loops only after all channels, however long that takes after {@link #close()}
   * has returned. An event loop that ends while it begins to connect does not close the socket,
   * which then stays open for as long as the JVM and the server live.
   */
  private CompletableFuture<Void> closeVertxAfter(CompletableFuture<Void> channelsEnded) {
    return channelsEnded
        .handle((ended, error) -> vertx.close().toCompletionStage())
        .thenCompose(closing -> closing);
  }

  /** What has to come to its end before a channel has: only here it would outlive its loop. */
  Future<?> settling(Future<?> connecting) {
    return ownsVertx ? connecting : Future.succeededFuture();
  }

  int connectTimeout() {
    return (int) settings.connectTimeout().toMillis();
  }

  Redis client(Endpoint server) {
    return lent != null
        ? lent
        : Redis.createClient(
            new GatedVertx(vertx),
            new RedisOptions()
                .setConnectionString((net.isSsl() ? "rediss://" : "redis://") + server)
                .setNetClientOptions(net)
                .setMaxPoolSize(1)
                .setPoolCleanerInterval(-1)
                .setPoolRecycleTimeout(-1)
                .setMaxWaitingHandlers(queueSize)
                // Nothing here needs RESP3, and its HELLO needs a permission of its own.
                .setProtocolNegotiation(false));
  }

  Future<Void> release(Redis client) {
    return client == lent ? Future.succeededFuture() : client.close();
  }

  /** Logs in and selects: the driver would be the default user wherever a server allows it. */
  Future<?> greet(RedisConnection connection, Endpoint server) {
    if (lent == null) {
      return Future.all(
          settings.greeting(server).stream()
              .map(command -> connection.send(VertxChannel.request(command)))
              .toList());
    }
    Promise<Void> answered = vertx.promise(); // it may have been dead in its pool
    connection.handler(reply -> answered.tryComplete());
    VertxChannel.taint(connection).onFailure(answered::tryFail);
    return answered.future();
  }
}
