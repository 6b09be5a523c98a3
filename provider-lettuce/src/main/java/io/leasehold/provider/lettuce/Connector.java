package io.leasehold.provider.lettuce;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.event.ClusterTopologyChangedEvent;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import reactor.core.Disposable;

/** How a client of Lettuce connects. */
interface Connector {

  /**
   * Connects for commands.
   *
   * @param broken called when a connection that was used broke
   */
  CompletionStage<Link> connect(Consumer<Link> broken);

  /** Connects for subscriptions. */
  CompletionStage<Link> listen(Consumer<Link> broken);

  /** Asks for the topology of a cluster. */
  CompletionStage<Void> refresh();

  /** Runs an action when keys may have other owners, until the result is disposed of. */
  Disposable onChange(Runnable action);

  /** With a client for one server, or for Sentinel. */
  static Connector of(RedisClient client, RedisURI uri) {
    String address =
        uri.getSentinels().isEmpty()
            ? uri.getHost() + ":" + uri.getPort()
            : uri.getSentinelMasterId();
    return new Connector() {
      @Override
      public CompletionStage<Link> connect(Consumer<Link> broken) {
        return client
            .connectAsync(ByteArrayCodec.INSTANCE, uri)
            .thenApply(
                made ->
                    new Link(
                        made,
                        address,
                        null,
                        id -> CompletableFuture.completedFuture(made),
                        broken));
      }

      @Override
      public CompletionStage<Link> listen(Consumer<Link> broken) {
        return client
            .connectPubSubAsync(ByteArrayCodec.INSTANCE, uri)
            .thenApply(
                made ->
                    new Link(
                        made,
                        address,
                        null,
                        id -> CompletableFuture.completedFuture(made),
                        broken));
      }

      @Override
      public CompletionStage<Void> refresh() {
        return CompletableFuture.completedStage(null);
      }

      @Override
      public Disposable onChange(Runnable action) {
        return () -> {};
      }
    };
  }

  /** With a client for a cluster. */
  static Connector of(RedisClusterClient client) {
    return new Connector() {
      private volatile boolean initialized;
      private CompletableFuture<Void> refreshing = CompletableFuture.completedFuture(null);

      @Override
      public CompletionStage<Link> connect(Consumer<Link> broken) {
        return initialized()
            .thenCompose(known -> client.connectAsync(ByteArrayCodec.INSTANCE))
            .thenApply(
                made ->
                    new Link(
                        made,
                        "",
                        made.getPartitions(),
                        id -> heeded(made.getConnectionAsync(id)),
                        broken));
      }

      @Override
      public CompletionStage<Link> listen(Consumer<Link> broken) {
        return initialized()
            .thenCompose(known -> client.connectPubSubAsync(ByteArrayCodec.INSTANCE))
            .thenApply(
                made ->
                    new Link(
                        made,
                        "",
                        made.getPartitions(),
                        id -> heeded(made.getConnectionAsync(id)),
                        broken));
      }

      /** A node that cannot be reached may have been replaced. */
      private CompletionStage<StatefulRedisConnection<byte[], byte[]>> heeded(
          CompletionStage<? extends StatefulRedisConnection<byte[], byte[]>> connection) {
        return connection
            .<StatefulRedisConnection<byte[], byte[]>>thenApply(made -> made)
            .whenComplete(
                (made, error) -> {
                  if (error != null) {
                    refresh();
                  }
                });
      }

      /** Lettuce connects without blocking only when it knows the topology. */
      private CompletionStage<Void> initialized() {
        return initialized
            ? CompletableFuture.completedStage(null)
            : refresh().thenRun(() -> initialized = true);
      }

      /** One at a time: Lettuce asks all nodes. */
      @Override
      public synchronized CompletionStage<Void> refresh() {
        if (refreshing.isDone()) {
          refreshing =
              CompletableFuture.completedFuture(client)
                  .thenCompose(RedisClusterClient::refreshPartitionsAsync);
        }
        return refreshing;
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
    };
  }
}
