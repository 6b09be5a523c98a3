package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisErrorReply;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * A cluster connection of its own. Commands go to node connections, and not through the router of
 * Lettuce: WAIT must follow its script on one connection, and with {@code REJECT_COMMANDS} Lettuce
 * 7.7 rejects what is routed to a node while the connection to it is being made.
 */
final class ClusterSession extends Session {
  private final StatefulRedisClusterConnection<byte[], byte[]> connection;
  private final Runnable broken;
  private final Set<StatefulRedisConnection<byte[], byte[]>> seen = ConcurrentHashMap.newKeySet();

  ClusterSession(
      StatefulRedisClusterConnection<byte[], byte[]> connection, Consumer<Session> broken) {
    this.connection = connection;
    this.broken = () -> broken.accept(this);
  }

  @Override
  CompletableFuture<StatefulRedisConnection<byte[], byte[]>> owner(byte[] key) {
    int slot = SlotHash.getSlot(key);
    RedisClusterNode node = connection.getPartitions().getPartitionBySlot(slot);
    return node == null
        ? CompletableFuture.failedFuture(
            new RedisErrorReply("CLUSTERDOWN no primary serves the slot " + slot))
        : watched(connection.getConnectionAsync(node.getNodeId()));
  }

  @Override
  CompletableFuture<StatefulRedisConnection<byte[], byte[]>> node(String host, int port) {
    return watched(connection.getConnectionAsync(host, port));
  }

  /** A connection to a node that is watched from its first use. */
  private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> watched(
      CompletableFuture<StatefulRedisConnection<byte[], byte[]>> node) {
    if (node.isDone() && !node.isCompletedExceptionally() && seen.contains(node.join())) {
      return node;
    }
    return node.thenApply(
        made -> {
          if (seen.add(made)) {
            Broken.tell(made, broken);
          }
          return made;
        });
  }

  @Override
  Map<String, CompletableFuture<StatefulRedisConnection<byte[], byte[]>>> primaries() {
    Map<String, CompletableFuture<StatefulRedisConnection<byte[], byte[]>>> all =
        new LinkedHashMap<>();
    for (RedisClusterNode node : connection.getPartitions()) {
      if (node.getRole().isUpstream() && !node.getSlots().isEmpty()) {
        all.put(
            node.getUri().getHost() + ":" + node.getUri().getPort(),
            watched(connection.getConnectionAsync(node.getNodeId())));
      }
    }
    return all;
  }

  @Override
  StatefulConnection<byte[], byte[]> connection() {
    return connection;
  }
}
