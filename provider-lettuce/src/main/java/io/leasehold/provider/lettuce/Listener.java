package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisErrorReply;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.pubsub.StatefulRedisClusterPubSubConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** A connection of Lettuce for subscriptions: to one server, or to the nodes of a cluster. */
final class Listener {
  private final StatefulRedisPubSubConnection<byte[], byte[]> connection;
  private final Function<byte[], CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>>>
      owners;
  private final Consumer<Listener> broken;
  private final BiConsumer<byte[], byte[]> messages;
  private final Set<StatefulRedisPubSubConnection<byte[], byte[]>> used =
      ConcurrentHashMap.newKeySet();

  private Listener(
      StatefulRedisPubSubConnection<byte[], byte[]> connection,
      Function<byte[], CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>>> owners,
      Consumer<Listener> broken,
      BiConsumer<byte[], byte[]> messages) {
    this.connection = connection;
    this.owners = owners;
    this.broken = broken;
    this.messages = messages;
  }

  /**
   * On one server.
   *
   * @param broken called when a connection that was used broke
   * @param messages gets the channel and the payload of each message
   */
  static Listener on(
      StatefulRedisPubSubConnection<byte[], byte[]> connection,
      Consumer<Listener> broken,
      BiConsumer<byte[], byte[]> messages) {
    return new Listener(
        connection, key -> CompletableFuture.completedFuture(connection), broken, messages);
  }

  /** On a cluster: PUBLISH in a script counts the subscribers of its own node alone. */
  static Listener on(
      StatefulRedisClusterPubSubConnection<byte[], byte[]> connection,
      Consumer<Listener> broken,
      BiConsumer<byte[], byte[]> messages) {
    return new Listener(
        connection,
        key -> {
          int slot = SlotHash.getSlot(key);
          RedisClusterNode node = connection.getPartitions().getPartitionBySlot(slot);
          return node == null
              ? CompletableFuture.failedFuture(
                  new RedisErrorReply("CLUSTERDOWN no primary serves the slot " + slot))
              : connection.getConnectionAsync(node.getNodeId());
        },
        broken,
        messages);
  }

  /** The connection to the server that owns a key. */
  CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> owner(byte[] key) {
    return owners
        .apply(key)
        .thenApply(
            node -> {
              if (used.add(node)) {
                begin(node);
              }
              return node;
            });
  }

  /** The connections that were used. */
  Set<StatefulRedisPubSubConnection<byte[], byte[]>> used() {
    return used;
  }

  CompletionStage<Void> close() {
    return connection.closeAsync();
  }

  private void begin(StatefulRedisPubSubConnection<byte[], byte[]> node) {
    node.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(byte[] channel, byte[] payload) {
            messages.accept(channel, payload);
          }

          @Override
          public void smessage(byte[] channel, byte[] payload) {
            messages.accept(channel, payload);
          }
        });
    Broken.tell(node, () -> broken.accept(this));
  }
}
