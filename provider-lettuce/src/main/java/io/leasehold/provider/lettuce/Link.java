package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What Lettuce makes at once: a connection to one server, or to the nodes of a cluster. In a
 * cluster, commands go to connections of nodes and not through the router of Lettuce: WAIT must
 * follow its script on one connection, and Lettuce 7.7 rejects what is routed to a node while the
 * connection to it is being made.
 */
final class Link {
  private final StatefulConnection<byte[], byte[]> connection;
  private final String address;
  private final @Nullable Partitions partitions;
  private final Function<String, CompletionStage<StatefulRedisConnection<byte[], byte[]>>> connect;
  private final Consumer<Link> broken;
  private final Map<String, CompletableFuture<Node>> nodes = new ConcurrentHashMap<>();

  /**
   * @param address of the only server
   * @param partitions of the cluster, if it is one; kept up to date by Lettuce
   * @param connect gives the connection to a node, which must not be closed by itself
   * @param broken called when a connection that was used broke
   */
  Link(
      StatefulConnection<byte[], byte[]> connection,
      String address,
      @Nullable Partitions partitions,
      Function<String, CompletionStage<StatefulRedisConnection<byte[], byte[]>>> connect,
      Consumer<Link> broken) {
    this.connection = connection;
    this.address = address;
    this.partitions = partitions;
    this.connect = connect;
    this.broken = broken;
  }

  boolean isClustered() {
    return partitions != null;
  }

  /** The server that owns a key. */
  CompletionStage<Node> owner(byte[] key) {
    if (partitions == null) {
      return node(address, address);
    }
    int slot = SlotHash.getSlot(key);
    RedisClusterNode owner = partitions.getPartitionBySlot(slot);
    return owner == null
        ? CompletableFuture.failedStage(
            new RedisErrorReply("CLUSTERDOWN no primary serves the slot " + slot))
        : node(owner);
  }

  /** The node of a cluster that a redirection names. */
  CompletionStage<Node> node(String host, int port) {
    RedisClusterNode node = partitions == null ? null : partitions.getPartition(host, port);
    return node == null
        ? CompletableFuture.failedStage(
            RedisConnectionFailure.unreachable("the cluster does not list the node", null))
        : node(node);
  }

  /** All primaries. */
  List<CompletionStage<Node>> primaries() {
    return partitions == null
        ? List.of(node(address, address))
        : partitions.stream()
            .filter(node -> node.getRole().isUpstream() && !node.getSlots().isEmpty())
            .map(this::node)
            .toList();
  }

  /** The nodes that were used. */
  Stream<Node> used() {
    return nodes.values().stream().map(Links::now).flatMap(Optional::stream);
  }

  /** Closes it; pending commands fail. Does not wait. */
  CompletableFuture<Void> close() {
    return connection.closeAsync();
  }

  private CompletionStage<Node> node(RedisClusterNode node) {
    return node(node.getNodeId(), node.getUri().getHost() + ":" + node.getUri().getPort());
  }

  private CompletionStage<Node> node(String id, String nodeAddress) {
    CompletableFuture<Node> known = nodes.get(id);
    if (known != null) {
      return known;
    }
    CompletableFuture<Node> mine = new CompletableFuture<>();
    known = nodes.putIfAbsent(id, mine);
    if (known != null) {
      return known;
    }
    CompletionStage<StatefulRedisConnection<byte[], byte[]>> connected =
        CompletableFuture.completedFuture(id).thenCompose(connect);
    connected.whenComplete(
        (made, error) -> {
          if (error == null) {
            mine.complete(new Node(this, nodeAddress, made));
            watch(made);
          } else {
            nodes.remove(id);
            mine.completeExceptionally(LettuceErrors.ofConnecting(error));
          }
        });
    return mine;
  }

  private void watch(StatefulConnection<byte[], byte[]> made) {
    made.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
            broken.accept(Link.this);
          }
        });
    if (!made.isOpen()) { // it broke before the listener was there
      broken.accept(this);
    }
  }
}
