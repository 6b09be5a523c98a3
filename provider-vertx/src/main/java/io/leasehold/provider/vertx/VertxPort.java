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
import org.jspecify.annotations.Nullable;

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
  private volatile boolean closed;

  /**
   * @param given the application's Vert.x, which is never closed; without it the port has its own
   */
  VertxPort(@Nullable Vertx given, Clients clients, PortContext context) {
    this.context = context;
    this.deadlines = new Deadlines(context);
    this.owned = given == null;
    this.vertx = given == null ? small() : given;
    // On a thread without a context: that of a verticle would close our connections at its end.
    this.loop =
        CompletableFuture.supplyAsync(
                vertx::getOrCreateContext, task -> new Thread(task, "leasehold-vertx").start())
            .join();
    this.nodes = new Nodes(this, clients);
  }

  private static Vertx small() {
    return Vertx.vertx(
        new VertxOptions()
            .setEventLoopPoolSize(1)
            .setWorkerPoolSize(1)
            .setInternalBlockingPoolSize(1)
            .setUseDaemonThread(true)
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setFileCachingEnabled(false)
                    .setClassPathResolvingEnabled(false)));
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
    Call call = new Call(this, List.of(command), false);
    return complete(call.replies, () -> way.apply(call)).thenApply(replies -> replies.get(0));
  }

  @Override
  public CompletionStage<List<Object>> sendAlone(byte[] key, List<RedisCommand> commands) {
    Call call = new Call(this, commands, true);
    return complete(call.replies, () -> nodes.send(key, call));
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

  /** Does something on the loop, later, and completes a promise with what comes of it. */
  private <T> CompletableFuture<T> complete(CompletableFuture<T> result, Supplier<Future<T>> task) {
    boolean begun =
        post(
            () ->
                Future.succeededFuture()
                    .compose(ready -> closed ? failedFuture() : task.get())
                    .onSuccess(result::complete)
                    .onFailure(error -> result.completeExceptionally(reason(error))));
    if (!begun) {
      result.completeExceptionally(RedisConnectionFailure.closed());
    }
    return result;
  }

  private static <T> Future<T> failedFuture() {
    return Future.failedFuture(RedisConnectionFailure.closed());
  }

  /** Runs a task on the loop, later, unless the port is closed by then. */
  void run(Runnable task) {
    post(
        () -> {
          if (!closed) {
            task.run();
          }
        });
  }

  private boolean post(Runnable task) {
    try {
      loop.runOnContext(ignored -> task.run());
      return true;
    } catch (RejectedExecutionException e) { // the application has closed its Vert.x
      return false;
    }
  }

  long timer(Duration delay, Runnable task) {
    return vertx.setTimer(Math.max(1, delay.toMillis()), id -> task.run());
  }

  /** Why a call failed: after close there is only one reason. */
  RuntimeException reason(Throwable error) {
    return closed ? RedisConnectionFailure.closed() : Replies.failure(error);
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
    if (closed) {
      return;
    }
    closed = true;
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    boolean begun =
        post(
            () -> {
              nodes.forEach(Node::close);
              if (owned) {
                // TCP and TLS have a timeout each; 4.5 forgets some connections that were refused.
                Future.join(List.copyOf(connecting))
                    .timeout(2 * context.connectTimeout().toMillis() + 1_000, TimeUnit.MILLISECONDS)
                    .onComplete(all -> vertx.close().onComplete(done -> ended.complete(true)));
              } else {
                ended.complete(true);
              }
            });
    if (begun && !Context.isOnEventLoopThread()) {
      Ending.await(ended, CLOSE_TIMEOUT);
    }
  }
}
