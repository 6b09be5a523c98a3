package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.driver.Deadlines;
import io.leasehold.redis.driver.DriverPort.Subscriber;
import io.leasehold.redis.driver.PortContext;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.Disposable;

/**
 * The subscriptions of a port, all on one connection to each server. When a connection breaks, all
 * of them are made again on a new one, and then the subscribers are told.
 */
final class Subscriptions {
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final PortContext context;
  private final Deadlines deadlines;
  private final Sessions<Listener> listeners;
  private final Disposable changes;
  private final Map<ByteBuffer, Subscription> subscriptions = new ConcurrentHashMap<>();
  private volatile boolean closed;

  Subscriptions(Connections connections, PortContext context, Deadlines deadlines) {
    this.context = context;
    this.deadlines = deadlines;
    this.listeners =
        new Sessions<>(
            () -> connections.listen(this::broken, this::message), Listener::close, context);
    this.changes =
        connections.onChange(
            () -> subscriptions.values().forEach(each -> each.subscriber.restored()));
  }

  CompletionStage<?> subscribe(byte[] key, byte[] channel, Subscriber subscriber) {
    CompletableFuture<Boolean> confirmed = deadlines.reply();
    Subscription subscription =
        subscriptions.computeIfAbsent(
            ByteBuffer.wrap(channel), unseen -> new Subscription(channel, subscriber));
    Stages.then(
        subscription.at(key),
        (done, error) -> {
          if (error == null) {
            confirmed.complete(true);
          } else {
            if (subscription.nodes.isEmpty()) {
              subscriptions.remove(ByteBuffer.wrap(channel), subscription);
            }
            confirmed.completeExceptionally(
                closed ? RedisConnectionFailure.closed() : PortErrors.ofCommand(error));
          }
        });
    return confirmed;
  }

  void unsubscribe(Subscriber subscriber) {
    for (Subscription subscription : List.copyOf(subscriptions.values())) {
      if (subscription.subscriber == subscriber
          && subscriptions.remove(ByteBuffer.wrap(subscription.channel), subscription)) {
        subscription.end();
      }
    }
  }

  /** Finds out whether the servers still answer on the connections that are used. */
  void probe() {
    if (subscriptions.isEmpty()) {
      return; // and there need not be a connection
    }
    CompletableFuture<Listener> shared = listeners.shared();
    if (!Stages.isThere(shared)) {
      return;
    }
    Listener listener = shared.join();
    for (StatefulRedisPubSubConnection<byte[], byte[]> node : listener.used()) {
      CompletableFuture<String> pong = deadlines.reply();
      node.async().ping().whenComplete((said, error) -> pong.complete(""));
      pong.exceptionally(
          silence -> {
            broken(listener);
            return "";
          });
    }
  }

  CompletableFuture<?> close() {
    closed = true;
    changes.dispose();
    subscriptions.clear();
    return listeners.close();
  }

  private void message(byte[] channel, byte[] payload) {
    Subscription subscription = subscriptions.get(ByteBuffer.wrap(channel));
    if (subscription != null) {
      subscription.subscriber.message(payload);
    }
  }

  private void broken(Listener listener) {
    if (!closed && listeners.unshare(listener)) {
      listeners.end(listener, Duration.ZERO);
      context.doubt().run();
      List<Lost> lost = new ArrayList<>();
      for (Subscription each : subscriptions.values()) {
        List<byte[]> keys = List.copyOf(each.keys.values());
        each.keys.clear();
        each.nodes.clear();
        lost.add(new Lost(each, keys));
      }
      restoreLater(lost, PAUSE);
    }
  }

  private void restoreLater(List<Lost> lost, Duration pause) {
    if (!lost.isEmpty() && !closed) {
      context.scheduler().schedule(() -> restore(lost, pause), pause.toNanos());
    }
  }

  private void restore(List<Lost> lost, Duration pause) {
    Duration longer = pause.multipliedBy(2);
    Duration next = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    for (Lost each : lost) {
      if (!subscriptions.containsValue(each.subscription)) {
        continue; // ended meanwhile
      }
      CompletableFuture<Object> bound = deadlines.reply();
      Stages.pass(Stages.all(each.keys.stream().map(each.subscription::at).toList()), bound);
      Stages.then(
          bound,
          (done, error) -> {
            if (error == null) {
              each.subscription.subscriber.restored();
            } else {
              restoreLater(List.of(each), next);
            }
          });
    }
  }

  /** A subscription that broke, and keys whose owners had it. */
  private record Lost(Subscription subscription, List<byte[]> keys) {}

  /** One channel. */
  private final class Subscription {
    private final byte[] channel;
    private final Subscriber subscriber;

    /** Confirmed, or under way, by connection; and for each of these a key that led there. */
    private final Map<StatefulRedisPubSubConnection<byte[], byte[]>, CompletableFuture<Void>>
        nodes = new ConcurrentHashMap<>();

    private final Map<StatefulRedisPubSubConnection<byte[], byte[]>, byte[]> keys =
        new ConcurrentHashMap<>();

    Subscription(byte[] channel, Subscriber subscriber) {
      this.channel = channel;
      this.subscriber = subscriber;
    }

    /** Subscribes at the owner of a key, unless that has been done. */
    CompletableFuture<Void> at(byte[] key) {
      return listeners
          .shared()
          .thenCompose(listener -> listener.owner(key))
          .thenCompose(
              node -> {
                CompletableFuture<Void> mine = new CompletableFuture<>();
                CompletableFuture<Void> other = nodes.putIfAbsent(node, mine);
                if (other != null) {
                  return other;
                }
                keys.put(node, key);
                Stages.then(
                    begin(node.async()),
                    (done, error) -> {
                      if (error == null) {
                        mine.complete(null);
                      } else {
                        nodes.remove(node);
                        keys.remove(node);
                        mine.completeExceptionally(error);
                      }
                    });
                return mine;
              });
    }

    private CompletionStage<Void> begin(RedisPubSubAsyncCommands<byte[], byte[]> node) {
      CompletionStage<Void> heard = node.subscribe(channel);
      return subscriber.sharded()
          ? heard.thenCompose(
              confirmed ->
                  node.ssubscribe(channel)
                      .exceptionallyCompose(
                          error ->
                              isWithoutShard(error)
                                  ? CompletableFuture.allOf()
                                  : CompletableFuture.failedStage(error)))
          : heard;
    }

    void end() {
      for (StatefulRedisPubSubConnection<byte[], byte[]> node : nodes.keySet()) {
        Stages.then(node.async().unsubscribe(channel), (done, error) -> {});
        if (subscriber.sharded()) {
          Stages.then(node.async().sunsubscribe(channel), (done, error) -> {});
        }
      }
      nodes.clear();
      keys.clear();
    }
  }

  /** A server before Redis 7 has no shard channels, and one that lost the slot says nothing. */
  private static boolean isWithoutShard(Throwable error) {
    return PortErrors.ofCommand(error) instanceof RedisErrorReply refused
        && (refused.code().equals("MOVED")
            || refused.code().equals("CLUSTERDOWN")
            || String.valueOf(refused.getMessage()).contains("unknown command"));
  }
}
