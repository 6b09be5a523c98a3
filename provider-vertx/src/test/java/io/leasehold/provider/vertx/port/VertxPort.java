package io.leasehold.provider.vertx.port;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisCluster;
import io.vertx.redis.client.RedisOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Redis servers, reached by clients of Vert.x. It does not block. The driver finds primaries behind
 * sentinels, connects, encrypts, logs in and sends; here is what it lacks: time is bounded,
 * connections are replaced, subscriptions are restored, and the nodes of a cluster are chosen (see
 * {@link Nodes}).
 */
public final class VertxPort implements DriverPort {
  private final Loop loop;
  private final Nodes nodes;

  private VertxPort(@Nullable Vertx vertx, Clients clients, PortContext context) {
    this.loop = new Loop(vertx, context);
    this.nodes = new Nodes(loop, clients);
  }

  /**
   * A port on the servers of a URL.
   *
   * @param vertx the application's, which is never closed; without it the port has its own
   * @param queueSize how many commands may wait for their replies on a connection
   */
  public static VertxPort open(
      @Nullable Vertx vertx,
      RedisServers servers,
      ConnectionSettings settings,
      int queueSize,
      PortContext context) {
    return new VertxPort(vertx, Clients.of(servers, settings, queueSize), context);
  }

  /**
   * A port with connections of its own in the application's Vert.x, as these options say: topology,
   * endpoints, login, TLS, queue size. They are closed with the port; the Vert.x is not.
   *
   * @throws io.leasehold.spi.InvalidConfigurationException when they do not lead to primaries
   */
  public static VertxPort open(Vertx vertx, RedisOptions options, PortContext context) {
    return new VertxPort(vertx, Clients.of(options), context);
  }

  /**
   * A port with connections of the application's client, which is never closed. They count for its
   * {@code maxPoolSize}: one for commands, one for each subscriber, and one for each call that
   * waits for replicas. If a server does not answer while the driver logs in, its connection keeps
   * a place in the pool.
   *
   * @throws io.leasehold.spi.InvalidConfigurationException for a client of type CLUSTER, which
   *     chooses nodes and repeats commands by itself: hand in its options
   */
  public static VertxPort open(Vertx vertx, Redis client, PortContext context) {
    boolean cluster = true;
    try {
      RedisCluster.create(client);
    } catch (IllegalArgumentException e) {
      cluster = false;
    }
    if (cluster) {
      throw Clients.unsupported(
          "A Redis client of type CLUSTER chooses nodes and repeats commands by itself, which is"
              + " not for locks: hand in its Vertx and RedisOptions");
    }
    Clients lent = new Clients(new RedisOptions(), List.of(), client);
    return new VertxPort(vertx, lent, context);
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public CompletionStage<Object> send(byte[] key, RedisCommand command) {
    PendingCall call = call(List.of(command), false);
    loop.run(call.result(), () -> nodes.send(key, call));
    return call.result().thenApply(replies -> replies.get(0));
  }

  @Override
  public CompletionStage<List<Object>> sendAlone(byte[] key, List<RedisCommand> commands) {
    PendingCall call = call(commands, true);
    loop.run(call.result(), () -> nodes.send(key, call));
    return call.result();
  }

  @Override
  public List<CompletionStage<Object>> sendAll(List<byte[]> keys, List<RedisCommand> commands) {
    List<CompletionStage<Object>> replies = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      replies.add(send(keys.get(i), commands.get(i)));
    }
    return replies;
  }

  private PendingCall call(List<RedisCommand> commands, boolean alone) {
    return new PendingCall(commands, alone, loop.reply());
  }

  @Override
  public CompletionStage<List<Primary>> primaries() {
    return complete(() -> nodes.primaries().map(all -> all.stream().map(this::primary).toList()));
  }

  private Primary primary(Node node) {
    return command -> {
      PendingCall call = call(List.of(command), false);
      loop.run(call.result(), () -> call.completeWith(node.send(call, false)));
      return call.result().thenApply(replies -> replies.get(0));
    };
  }

  @Override
  public CompletionStage<?> subscribe(byte[] key, byte[] channel, Subscriber subscriber) {
    return complete(() -> nodes.owner(key).compose(node -> node.subscribe(channel, subscriber)));
  }

  private <T> CompletionStage<T> complete(Supplier<Future<T>> task) {
    CompletableFuture<T> result = loop.reply();
    loop.run(
        result,
        () -> task.get().onSuccess(result::complete).onFailure(result::completeExceptionally));
    return result;
  }

  @Override
  public void unsubscribe(Subscriber subscriber) {
    loop.here(() -> nodes.all().forEach(node -> node.unsubscribe(subscriber)));
  }

  @Override
  public void close() {
    loop.close(() -> nodes.all().forEach(Node::leave));
  }
}
