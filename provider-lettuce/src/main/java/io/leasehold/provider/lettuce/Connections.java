package io.leasehold.provider.lettuce;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.event.ClusterTopologyChangedEvent;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.Disposable;

/** How a client of Lettuce makes the connections of a port. */
interface Connections {

  /**
   * Connects for commands.
   *
   * @param broken called when a connection of the session broke
   */
  CompletionStage<Session> connect(Consumer<Session> broken);

  /** Connects for subscriptions. See {@link Listener}. */
  CompletionStage<Listener> listen(Consumer<Listener> broken, BiConsumer<byte[], byte[]> messages);

  /** Asks for the topology anew, in the background. */
  void refresh();

  /** Runs an action when keys may have other owners, until the result is disposed of. */
  Disposable onChange(Runnable action);

  /** Whether this is a cluster. */
  boolean clustered();

  /**
   * With a client for one server, or for Sentinel.
   *
   * @param uris the second is tried when the first lacks a login
   */
  static Connections of(RedisClient client, List<RedisURI> uris) {
    return new Connections() {
      @Override
      public CompletionStage<Session> connect(Consumer<Session> broken) {
        return first(uri -> client.connectAsync(ByteArrayCodec.INSTANCE, uri))
            .thenApply(connection -> new ServerSession(connection, address(), broken));
      }

      @Override
      public CompletionStage<Listener> listen(
          Consumer<Listener> broken, BiConsumer<byte[], byte[]> messages) {
        return first(uri -> client.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri))
            .thenApply(connection -> Listener.on(connection, broken, messages));
      }

      /** Behind Sentinel only the driver knows it. */
      private String address() {
        RedisURI uri = uris.get(0);
        return uri.getSentinels().isEmpty()
            ? uri.getHost() + ":" + uri.getPort()
            : uri.getSentinelMasterId();
      }

      private <C> CompletionStage<C> first(Function<RedisURI, CompletionStage<C>> connect) {
        CompletionStage<C> made = Stages.plain(connect.apply(uris.get(0)));
        for (RedisURI next : uris.subList(1, uris.size())) {
          made =
              made.exceptionallyCompose(
                  error ->
                      PortErrors.lacksLogin(error)
                          ? connect.apply(next)
                          : CompletableFuture.failedStage(error));
        }
        return made;
      }

      @Override
      public void refresh() {}

      @Override
      public Disposable onChange(Runnable action) {
        return () -> {};
      }

      @Override
      public boolean clustered() {
        return false;
      }
    };
  }

  /** With a client for a cluster. */
  static Connections of(RedisClusterClient client) {
    return new Connections() {
      private volatile boolean initialized;

      /** Lettuce connects without blocking only when it knows the topology. */
      private CompletionStage<Void> initialized() {
        return initialized
            ? CompletableFuture.completedStage(null)
            : client.refreshPartitionsAsync().thenRun(() -> initialized = true);
      }

      @Override
      public CompletionStage<Session> connect(Consumer<Session> broken) {
        return initialized()
            .thenCompose(known -> client.connectAsync(ByteArrayCodec.INSTANCE))
            .thenApply(connection -> new ClusterSession(connection, broken));
      }

      @Override
      public CompletionStage<Listener> listen(
          Consumer<Listener> broken, BiConsumer<byte[], byte[]> messages) {
        return initialized()
            .thenCompose(known -> client.connectPubSubAsync(ByteArrayCodec.INSTANCE))
            .thenApply(connection -> Listener.on(connection, broken, messages));
      }

      @Override
      public void refresh() {
        client.refreshPartitionsAsync();
      }

      @Override
      public Disposable onChange(Runnable action) {
        return client
            .getResources()
            .eventBus()
            .get()
            .filter(ClusterTopologyChangedEvent.class::isInstance)
            .subscribe(event -> action.run());
      }

      @Override
      public boolean clustered() {
        return true;
      }
    };
  }
}
