package io.leasehold.provider.jedis.port;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.driver.Deadlines;
import io.leasehold.redis.driver.PortContext;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * The calls under way, each a future that fails when the call is late or the port is closed. Socket
 * timeouts are not enough: they bound one read, not a reply that comes byte by byte.
 */
final class Calls {
  /** What may block or fail. */
  interface Task<T> {
    T run() throws Exception;
  }

  final PortContext context;
  private final Deadlines deadlines;
  private final Set<CompletableFuture<Object>> open = ConcurrentHashMap.newKeySet();
  private volatile boolean connected;
  private volatile boolean closed;

  Calls(PortContext context) {
    this.context = context;
    this.deadlines = new Deadlines(context);
  }

  CompletableFuture<Object> begin() {
    CompletableFuture<Object> call = connected ? deadlines.reply() : patient();
    open.add(call);
    if (closed) {
      call.completeExceptionally(RedisConnectionFailure.closed());
    }
    return call;
  }

  /** A first connection may take the connect timeout. */
  private CompletableFuture<Object> patient() {
    CompletableFuture<Object> call = new CompletableFuture<>();
    Duration connect = context.connectTimeout();
    Duration command = context.commandTimeout();
    schedule(
        () -> call.completeExceptionally(RedisConnectionFailure.timeout(null)),
        connect.compareTo(command) > 0 ? connect : command);
    return call;
  }

  @SuppressWarnings("CollectionUndefinedEquality") // identity is meant
  void end(CompletableFuture<Object> call) {
    open.remove(call);
    call.complete("");
  }

  void connected() {
    connected = true;
  }

  boolean closed() {
    return closed;
  }

  /** From now on, calls fail because of this. */
  void close() {
    closed = true;
  }

  void endAll() {
    open.forEach(c -> c.completeExceptionally(RedisConnectionFailure.closed()));
  }

  /** Runs what may block, or may fail without consequences, on another thread. */
  void later(Runnable task) {
    Runnable quiet =
        () -> {
          try {
            task.run();
          } catch (RuntimeException e) {
            // of closing what is broken, or of looking at servers that are gone
          }
        };
    try {
      context.background().execute(quiet);
    } catch (RejectedExecutionException e) { // the lock client is closing
      quiet.run();
    }
  }

  void schedule(Runnable task, Duration delay) {
    try {
      context.scheduler().schedule(task, delay.toNanos());
    } catch (RejectedExecutionException e) {
      // as above: there is nothing to look after any more
    }
  }

  /** Waits for a result, but no longer than the call may take. */
  static <T> T await(CompletableFuture<Object> call, CompletableFuture<T> result) throws Exception {
    try {
      CompletableFuture.anyOf(call, result).get();
      return result.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** The same for a task on another thread; a result that comes too late is {@code unused}. */
  <T> T within(CompletableFuture<Object> call, Task<T> task, Consumer<T> unused) throws Exception {
    CompletableFuture<T> result = new CompletableFuture<>();
    later(
        () -> {
          try {
            result.complete(task.run());
          } catch (Exception e) {
            result.completeExceptionally(e);
          }
        });
    try {
      return await(call, result);
    } catch (Exception e) {
      var unneeded = result.thenAccept(unused);
      boolean late = call.isCompletedExceptionally() && !unneeded.isDone() && !closed;
      throw late ? RedisConnectionFailure.unreachable("no connection in time", null) : e;
    }
  }
}
