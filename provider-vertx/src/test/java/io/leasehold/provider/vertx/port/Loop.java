package io.leasehold.provider.vertx.port;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.driver.Deadlines;
import io.leasehold.redis.driver.PortContext;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One event loop of a Vert.x, on which a port makes all its connections and keeps all its state: no
 * other class here needs a lock. Commands lose nothing by it, since the driver writes them on the
 * connection's event loop anyway.
 */
final class Loop {
  private static final int CLOSE_MILLIS = 3_000;

  final Vertx vertx;
  final PortContext port;

  /** Whether a connection has been made once. */
  volatile boolean reached;

  /** All connections, until they are closed for certain. */
  final Set<Link> links = new HashSet<>();

  private final boolean owned;
  private final Context context;
  private final Deadlines deadlines;
  private final Deadlines firstDeadlines;
  private volatile boolean closed;

  /** With the application's Vert.x, or with its own. */
  Loop(@Nullable Vertx given, PortContext port) {
    this.owned = given == null;
    this.vertx = given == null ? small() : given;
    this.port = port;
    this.deadlines = new Deadlines(port);
    this.firstDeadlines =
        new Deadlines(
            new PortContext(
                port.scheduler(),
                port.time(),
                port.background(),
                port.connectTimeout(),
                port.commandTimeout().plus(port.connectTimeout()),
                port.doubt()));
    // On a thread without a context. That of a verticle would close our connections at its end.
    this.context =
        CompletableFuture.supplyAsync(
                vertx::getOrCreateContext, task -> new Thread(task, "leasehold-vertx").start())
            .join();
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

  boolean closed() {
    return closed;
  }

  /** A promise that fails in time. Before the first connection a call may take longer. */
  <T> CompletableFuture<T> reply() {
    return (reached ? deadlines : firstDeadlines).reply();
  }

  /** A future that is completed on the loop. */
  <T> Future<T> future(CompletableFuture<T> result) {
    return Future.fromCompletionStage(result, context);
  }

  long now() {
    return port.time().monotonicNanos();
  }

  /** Runs a task on the loop, later; or fails a promise, when there is no loop any more. */
  void run(CompletableFuture<?> result, Runnable task) {
    Runnable guarded =
        () -> {
          try {
            if (!closed) {
              task.run();
              return;
            }
            result.completeExceptionally(RedisConnectionFailure.closed());
          } catch (RuntimeException e) { // of the driver
            result.completeExceptionally(Replies.failure(e));
          }
        };
    if (!later(guarded)) {
      result.completeExceptionally(RedisConnectionFailure.closed());
    }
  }

  /** Runs a task on the loop: at once if this is called there. */
  void here(Runnable task) {
    if (Vertx.currentContext() == context) {
      task.run();
    } else {
      later(task);
    }
  }

  private boolean later(Runnable task) {
    try {
      context.runOnContext(ignored -> task.run());
      return true;
    } catch (RejectedExecutionException e) { // the application has closed its Vert.x
      return false;
    }
  }

  long timer(long millis, Runnable task) {
    return vertx.setTimer(Math.max(1, millis), id -> task.run());
  }

  /** Why a call failed: after close there is only one reason. */
  Throwable reason(Throwable error) {
    return closed ? RedisConnectionFailure.closed() : error;
  }

  /**
   * Closes all connections, and then the Vert.x if it is not the application's. An event loop that
   * ends while it begins to connect does not close that socket, which then stays open for as long
   * as both processes live: so the loop outlives all attempts to connect, and this method if they
   * take long.
   */
  void close(Runnable first) {
    if (closed) {
      return;
    }
    closed = true;
    CompletableFuture<Void> ended = new CompletableFuture<>();
    boolean begun =
        later(
            () -> {
              first.run();
              List<Link> last = List.copyOf(links);
              last.forEach(link -> link.end(RedisConnectionFailure.closed()));
              if (owned) {
                closeVertx(last, ended);
              } else {
                ended.complete(null);
              }
            });
    if (begun && !Context.isOnEventLoopThread()) {
      await(ended);
    }
  }

  private void closeVertx(List<Link> last, CompletableFuture<Void> ended) {
    Promise<Boolean> settled = Promise.promise();
    Future.join(last.stream().map(Link::settled).toList())
        .onComplete(all -> settled.tryComplete(true));
    // TCP and TLS have one connect timeout each; 4.5 forgets some connections that were refused.
    timer(2 * port.connectTimeout().toMillis() + 1_000, () -> settled.tryComplete(false));
    settled.future().onComplete(all -> vertx.close().onComplete(over -> ended.complete(null)));
  }

  private static void await(CompletableFuture<Void> ended) {
    try {
      ended.get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // It goes on by itself.
    }
  }
}
