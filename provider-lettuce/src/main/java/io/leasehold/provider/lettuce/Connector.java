package io.leasehold.provider.lettuce;

import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisErrorReply;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.event.ClusterTopologyChangedEvent;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/** How a client of Lettuce finds servers and connects to them. */
final class Connector {
  private static final ByteArrayCodec BYTES = ByteArrayCodec.INSTANCE;
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  /** Connects to a server for commands. */
  final Function<Endpoint, CompletionStage<Connection>> commands;

  /** Connects to a server for subscriptions. */
  final Function<Endpoint, CompletionStage<Connection>> subscriptions;

  private final Endpoint only;

  /** Absent for one server, and for Sentinel. */
  final @Nullable RedisClusterClient cluster;

  private CompletableFuture<Void> refreshing = DONE;
  private volatile boolean known;

  /** For one server, or for Sentinel. */
  Connector(RedisClient client, RedisURI uri) {
    commands = at -> client.connectAsync(BYTES, uri).thenApply(one -> new Connection(one, one));
    subscriptions =
        at -> client.connectPubSubAsync(BYTES, uri).thenApply(one -> new Connection(one, one));
    only = label(uri);
    cluster = null;
  }

  /**
   * For a cluster. Commands go to connections of nodes and not through the router of Lettuce: WAIT
   * must follow its script on one connection. Lettuce connects to a node once, so each connection
   * to a node belongs to a cluster connection of its own.
   */
  Connector(RedisClusterClient client) {
    commands =
        at -> node(client.connectAsync(BYTES), all -> all.getConnectionAsync(at.host(), at.port()));
    subscriptions =
        at ->
            node(
                client.connectPubSubAsync(BYTES),
                all -> all.getConnectionAsync(at.host(), at.port()));
    only = Endpoint.data("cluster", 0);
    cluster = client;
  }

  private <A extends StatefulConnection<byte[], byte[]>> CompletionStage<Connection> node(
      CompletionStage<A> connected,
      Function<A, CompletionStage<? extends StatefulRedisConnection<byte[], byte[]>>> connect) {
    return connected.thenCompose(
        all ->
            DONE.thenCompose(ready -> connect.apply(all))
                .handle(
                    (node, error) -> {
                      if (error == null) {
                        return new Connection(node, all);
                      }
                      var unused = all.closeAsync();
                      throw LettuceErrors.ofConnecting(error);
                    }));
  }

  /** Host and port; the path of a socket; or what Sentinel calls the primary. */
  static Endpoint label(RedisURI uri) {
    String name = uri.getSentinels().isEmpty() ? uri.getSocket() : uri.getSentinelMasterId();
    return name == null ? Endpoint.data(uri.getHost(), uri.getPort()) : Endpoint.data(name, 0);
  }

  /** The server that owns a key. */
  CompletionStage<Endpoint> owner(byte[] key) {
    return known()
        .thenApply(ready -> cluster == null ? only : owner(cluster, SlotHash.getSlot(key)));
  }

  private static Endpoint owner(RedisClusterClient cluster, int slot) {
    RedisClusterNode owner = cluster.getPartitions().getPartitionBySlot(slot);
    if (owner == null) {
      throw new RedisErrorReply("CLUSTERDOWN no primary serves the slot " + slot);
    }
    return label(owner.getUri());
  }

  /** All primaries. */
  CompletionStage<List<Endpoint>> primaries() {
    return known().thenApply(ready -> cluster == null ? List.of(only) : primaries(cluster));
  }

  private static List<Endpoint> primaries(RedisClusterClient cluster) {
    return cluster.getPartitions().stream()
        .filter(node -> node.getRole().isUpstream() && !node.getSlots().isEmpty())
        .map(node -> label(node.getUri()))
        .toList();
  }

  /** Lettuce connects to a cluster without blocking only when it knows the nodes. */
  private CompletionStage<Void> known() {
    return known || cluster == null ? DONE : refresh().thenRun(() -> known = true);
  }

  /** Asks for the nodes of a cluster again; once at a time, because Lettuce asks all of them. */
  synchronized CompletionStage<Void> refresh() {
    if (cluster != null && refreshing.isDone()) {
      refreshing = DONE.thenCompose(ready -> cluster.refreshPartitionsAsync());
    }
    return refreshing;
  }

  /** Runs an action when keys may have other owners, until the result is disposed of. */
  Disposable onChange(Runnable action) {
    return cluster == null
        ? () -> {}
        : cluster
            .getResources()
            .eventBus()
            .get()
            .filter(ClusterTopologyChangedEvent.class::isInstance)
            .subscribe(event -> action.run());
  }
}
