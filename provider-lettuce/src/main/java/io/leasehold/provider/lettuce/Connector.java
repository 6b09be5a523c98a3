package io.leasehold.provider.lettuce;

import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.event.ClusterTopologyChangedEvent;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/** How a client of Lettuce finds servers and connects to them, and what its exceptions mean. */
final class Connector {
  private static final ByteArrayCodec BYTES = ByteArrayCodec.INSTANCE;
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  /** Connect to a server. */
  final Function<Endpoint, CompletionStage<Connection>> commands;

  final Function<Endpoint, CompletionStage<Connection>> subscriptions;

  /** Absent for one server, and for Sentinel. */
  final @Nullable RedisClusterClient cluster;

  private final Endpoint only;
  private CompletableFuture<Void> refreshing = DONE;
  private volatile boolean known;

  /** For one server, or for Sentinel. */
  Connector(RedisClient client, RedisURI uri) {
    commands = at -> client.connectAsync(BYTES, uri).thenApply(one -> new Connection(one, one));
    subscriptions =
        at -> client.connectPubSubAsync(BYTES, uri).thenApply(one -> new Connection(one, one));
    cluster = null;
    only = label(uri);
  }

  /**
   * For a cluster, with connections to nodes: WAIT must follow its script on one connection. Each
   * belongs to a cluster connection of its own, because Lettuce makes no other in place of it.
   */
  Connector(RedisClusterClient client) {
    commands =
        to -> node(client.connectAsync(BYTES), c -> c.getConnectionAsync(to.host(), to.port()));
    subscriptions =
        to ->
            node(client.connectPubSubAsync(BYTES), c -> c.getConnectionAsync(to.host(), to.port()));
    cluster = client;
    only = Endpoint.data("cluster", 0);
  }

  private static <C extends StatefulConnection<byte[], byte[]>> CompletionStage<Connection> node(
      CompletionStage<C> connected,
      Function<C, CompletionStage<? extends StatefulRedisConnection<byte[], byte[]>>> connect) {
    return connected.thenCompose(
        whole ->
            DONE.thenCompose(ready -> connect.apply(whole))
                .handle(
                    (node, error) -> {
                      if (error != null) {
                        var unused = whole.closeAsync();
                        throw notConnected(error);
                      }
                      return new Connection(node, whole);
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

  /** Why a connection could not be made. */
  static RuntimeException notConnected(Throwable error) {
    return settled(error).orElseGet(() -> RedisConnectionFailure.cannotConnect(error));
  }

  /** Why a command failed. */
  static RuntimeException notAnswered(Throwable error) {
    return settled(error).orElseGet(() -> withoutReply(error));
  }

  /** A failure of the port, or a server's error; the driver's exception may repeat a secret. */
  private static Optional<RuntimeException> settled(Throwable error) {
    if (error instanceof RedisConnectionFailure || error instanceof RedisErrorReply) {
      return Optional.of((RuntimeException) error);
    }
    String message = String.valueOf(error.getMessage());
    if (error instanceof RedisCommandExecutionException
        || RedisConnectionException.isProtectedMode(message)) {
      return Optional.of(new RedisErrorReply(message));
    }
    return Stream.concat(Stream.ofNullable(error.getCause()), Stream.of(error.getSuppressed()))
        .map(Connector::settled)
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static RuntimeException withoutReply(Throwable error) {
    Throwable cause = error.getCause() == null ? error : error.getCause();
    if (cause instanceof RedisCommandTimeoutException) {
      return RedisConnectionFailure.timeout(cause);
    }
    // Lettuce has no types for these. What is not known not to have been sent may have been.
    String message = String.valueOf(cause.getMessage());
    if (message.contains("size exceeded")) {
      return RedisConnectionFailure.overloaded();
    }
    return message.matches("(Currently not connected|Connection is closed|Cannot ).*")
        ? RedisConnectionFailure.unreachable("not connected", cause)
        : RedisConnectionFailure.lost(cause);
  }
}
