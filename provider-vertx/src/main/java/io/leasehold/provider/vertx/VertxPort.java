package io.leasehold.provider.vertx;

import io.leasehold.redis.Ending;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.driver.Deadlines;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Redis servers, reached by clients of Vert.x. The driver finds primaries behind sentinels,
 * connects, encrypts and sends. Here is what it lacks: time is bounded, connections are replaced,
 * and the nodes of a cluster are chosen.
 *
 * <p>One event loop makes all connections and keeps all state, so that no class here needs a lock.
 * Commands lose nothing by it: the driver writes them on their connection's event loop anyway.
 */
final class VertxPort implements DriverPort {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

  final PortContext context;
  final Vertx vertx;
  final Deadlines deadlines;

  /** Connections that the driver is making. */
  final Set<Future<?>> connecting = new HashSet<>();

  private final boolean owned;
  private final Context loop;
  private final Nodes nodes;
  private boolean closed;

  /**
   * Commands that go together to one connection.
   *
   * @param alone whether no other call may use the connection before all replies have come
   * @param replies fails at the deadline of the call; nothing is sent for it afterwards
   */
  record Call(
      List<RedisCommand> commands, boolean alone, CompletableFuture<List<Object>> replies) {}

  VertxPort(Clients clients, PortContext context) {
    this.context = context;
    this.deadlines = new Deadlines(context);
    this.owned = clients.vertx() == null;
    this.vertx = clients.vertx() == null ? small() : clients.vertx();
    // On a thread without a context: that of a verticle would close our connections at its end.
    this.loop =
        CompletableFuture.supplyAsync(
                vertx::getOrCreateContext, task -> new Thread(task, "leasehold-vertx").start())
            .join();
    this.nodes = new Nodes(this, clients);
  }

  private static Vertx small() {
    FileSystemOptions noFiles =
        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
    VertxOptions options = new VertxOptions().setEventLoopPoolSize(1).setUseDaemonThread(true);
    return Vertx.vertx(options.setFileSystemOptions(noFiles));
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public CompletionStage<Object> send(byte[] key, RedisCommand command) {
    return send(command, call -> nodes.send(key, call));
  }

  CompletionStage<Object> send(RedisCommand command, Function<Call, Future<List<Object>>> way) {
    Call call = new Call(List.of(command), false, deadlines.reply());
    return complete(call.replies(), () -> way.apply(call)).thenApply(replies -> replies.get(0));
  }

  @Override
  public CompletionStage<List<Object>> sendAlone(byte[] key, List<RedisCommand> commands) {
    Call call = new Call(commands, true, deadlines.reply());
    return complete(call.replies(), () -> nodes.send(key, call));
  }

  @Override
  public List<CompletionStage<Object>> sendAll(List<byte[]> keys, List<RedisCommand> commands) {
    List<CompletionStage<Object>> replies = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      replies.add(send(keys.get(i), commands.get(i)));
    }
    return replies;
  }

  @Override
  public CompletionStage<List<Primary>> primaries() {
    return complete(deadlines.reply(), nodes::primaries);
  }

  @Override
  public CompletionStage<?> subscribe(byte[] key, byte[] channel, Subscriber subscriber) {
    return complete(
        deadlines.reply(),
        () -> nodes.owner(key).compose(node -> node.subscribe(channel, subscriber)));
  }

  @Override
  public void unsubscribe(Subscriber subscriber) {
    run(() -> nodes.forEach(node -> node.unsubscribe(subscriber)));
  }

  /** Runs a task on the loop, later, unless the port is closed by then. */
  void run(Runnable task) {
    Supplier<Future<Void>> unending = () -> Future.future(never -> task.run());
    var unused = complete(new CompletableFuture<>(), unending);
  }

  /** Does something on the loop, later, and completes a promise with what comes of it. */
  private <T> CompletableFuture<T> complete(CompletableFuture<T> result, Supplier<Future<T>> task) {
    try {
      loop.runOnContext(
          go ->
              Future.succeededFuture()
                  .compose(ready -> closed ? Future.failedFuture("closed") : task.get())
                  .onSuccess(result::complete)
                  .onFailure(error -> result.completeExceptionally(reason(error))));
    } catch (RejectedExecutionException e) { // the application has closed its Vert.x
      result.completeExceptionally(RedisConnectionFailure.closed());
    }
    return result;
  }

  private RuntimeException reason(Throwable error) {
    return closed ? RedisConnectionFailure.closed() : Replies.failure(error);
  }

  long timer(Duration delay, Runnable task) {
    return vertx.setTimer(Math.max(1, delay.toMillis()), id -> task.run());
  }

  boolean isClosed() {
    return closed;
  }

  /**
   * An event loop that ends while it begins to connect does not close that socket, which then stays
   * open for as long as both processes live: so the loop outlives all attempts to connect, and this
   * method if they take long.
   */
  @Override
  public void close() {
    CompletableFuture<Void> ended = complete(new CompletableFuture<>(), this::end);
    if (!Context.isOnEventLoopThread()) {
      Ending.await(ended, CLOSE_TIMEOUT);
    }
  }

  private Future<Void> end() {
    closed = true;
    nodes.forEach(Node::close);
    // TCP and TLS have a timeout each; 4.5 forgets some connections that were refused.
    long millis = 2 * context.connectTimeout().toMillis() + 1_000;
    return owned
        ? Future.join(List.copyOf(connecting))
            .timeout(millis, TimeUnit.MILLISECONDS)
            .transform(all -> vertx.close())
        : Future.succeededFuture();
  }
}
