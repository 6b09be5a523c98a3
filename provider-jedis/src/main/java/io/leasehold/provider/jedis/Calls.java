package io.leasehold.provider.jedis;

import io.leasehold.provider.jedis.Servers.Node;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.driver.Deadlines;
import io.leasehold.redis.driver.PortContext;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The calls under way, each a future that fails when the call is late or the port is closed. Then
 * its connection is cut: socket timeouts bound one read, not a reply that comes byte by byte.
 */
final class Calls {
  /** For what may take longer than a call. */
  final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), Calls::daemon);

  private final PortContext context;
  private final Deadlines deadlines;
  private final Set<CompletableFuture<Object>> open = ConcurrentHashMap.newKeySet();
  private volatile boolean connected;

  /** Whether calls fail because of this. */
  volatile boolean closed;

  Calls(PortContext context) {
    this.context = context;
    this.deadlines = new Deadlines(context);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "leasehold-jedis");
    thread.setDaemon(true);
    return thread;
  }

  /** Begins a call; the first connection may take the connect timeout. */
  CompletableFuture<Object> begin() {
    CompletableFuture<Object> call = connected ? deadlines.reply() : new CompletableFuture<>();
    if (!connected) {
      Runnable late = () -> call.completeExceptionally(RedisConnectionFailure.timeout(null));
      long nanos = context.connectTimeout().plus(context.commandTimeout()).toNanos();
      context.scheduler().schedule(late, nanos);
    }
    open.add(call);
    if (closed) {
      call.completeExceptionally(RedisConnectionFailure.closed());
    }
    return call;
  }

  @SuppressWarnings("CollectionUndefinedEquality") // identity is meant
  void end(CompletableFuture<Object> call) {
    open.remove(call);
    call.complete("");
  }

  /** Has another thread do what may block. */
  <T> CompletableFuture<T> ask(Supplier<T> task) {
    return CompletableFuture.supplyAsync(task, threads);
  }

  /** As {@link #ask}, for what may fail without consequences. */
  void later(Runnable task) {
    var unused = CompletableFuture.runAsync(task, threads);
  }

  /** Sends commands on a connection that nothing else uses meanwhile, and reads their replies. */
  List<Object> exchange(CompletableFuture<Object> call, Node node, List<RedisCommand> commands) {
    Connection connection = take(call, node);
    AtomicBoolean over = new AtomicBoolean(); // whether the connection was given back, or cut
    var unused =
        call.exceptionally(
            late -> {
              if (!over.getAndSet(true)) {
                later(() -> Node.cut(connection));
              }
              return "";
            });
    try {
      for (RedisCommand command : commands) {
        if (over.get()) { // Jedis would connect again, without logging in
          throw new JedisConnectionException("cut");
        }
        send(connection, command);
      }
      List<Object> replies = new ArrayList<>(connection.getMany(commands.size()));
      replies.replaceAll(Calls::reply);
      if (!over.getAndSet(true)) {
        connection.close(); // gives it back
        return replies;
      }
      throw new JedisConnectionException("cut");
    } catch (RuntimeException e) {
      later(() -> node.discard(connection));
      throw over.getAndSet(true) ? RedisConnectionFailure.timeout(null) : ofCommand(e);
    }
  }

  static void send(Connection connection, RedisCommand command) {
    byte[] name = command.name().getBytes(StandardCharsets.US_ASCII);
    ProtocolCommand word = () -> name;
    connection.sendCommand(word, command.args().toArray(new byte[0][]));
  }

  /** Takes an idle connection; or another thread waits for one, or makes one. */
  private Connection take(CompletableFuture<Object> call, Node node) {
    CompletableFuture<Connection> taken =
        CompletableFuture.supplyAsync(
            () -> node.take(context.commandTimeout()), node.isReady() ? Runnable::run : threads);
    try {
      Connection connection = await(call, taken);
      connected = true;
      return connection;
    } catch (CompletionException e) {
      var unused = taken.thenAccept(Connection::close);
      throw taken.isDone() ? e : RedisConnectionFailure.unreachable("no connection in time", null);
    }
  }

  /** Waits for a result, in spite of interruption, but no longer than the call may take. */
  static <T> T await(CompletableFuture<?> call, CompletableFuture<T> result) {
    CompletableFuture.anyOf(result, call).join(); // the result counts even if it was late
    return result.join();
  }

  /** Ends the calls that are under way, and the threads as soon as they are idle. */
  void end() {
    open.forEach(call -> call.completeExceptionally(RedisConnectionFailure.closed()));
    threads.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
  }

  /** Why there is no connection. Nothing was sent. */
  static RuntimeException ofConnecting(Throwable error) {
    if (error instanceof RedisErrorReply || error instanceof RedisConnectionFailure) {
      return (RuntimeException) error;
    }
    if (error instanceof NoSuchElementException
        && !String.valueOf(error.getMessage()).startsWith("Unable to")) {
      return RedisConnectionFailure.overloaded();
    }
    if (error instanceof CompletionException && error.getCause() != null) {
      return ofConnecting(error.getCause());
    }
    Throwable root = root(error);
    if (root instanceof JedisDataException) {
      return new RedisErrorReply(String.valueOf(root.getMessage()));
    }
    return root instanceof JedisException
        ? RedisConnectionFailure.unreachable("cannot connect: no server could be used", null)
        : RedisConnectionFailure.cannotConnect(root);
  }

  /** Why replies did not come. The commands were sent, or may have been. */
  static RuntimeException ofCommand(Throwable error) {
    Throwable root = root(error);
    Throwable cause = root instanceof JedisException ? null : root;
    return root instanceof SocketTimeoutException
        ? RedisConnectionFailure.timeout(cause)
        : RedisConnectionFailure.lost(cause);
  }

  /** Jedis keeps the reason among the suppressed when it tried several addresses or nodes. */
  private static Throwable root(Throwable error) {
    Throwable[] hidden = error.getSuppressed();
    Throwable below = error.getCause() == null && hidden.length > 0 ? hidden[0] : error.getCause();
    return below == null || error instanceof UnknownHostException ? error : root(below);
  }

  /** A reply as a port has it. A client of an application may speak RESP3, which has maps. */
  static @Nullable Object reply(@Nullable Object raw) {
    if (raw instanceof List<?> list) {
      List<@Nullable Object> replies = new ArrayList<>(list.size());
      for (Object element : list) {
        if (element instanceof Map.Entry<?, ?> entry) {
          replies.add(reply(entry.getKey()));
          replies.add(reply(entry.getValue()));
        } else {
          replies.add(reply(element));
        }
      }
      return replies;
    }
    return raw instanceof JedisDataException error
        ? new RedisErrorReply(String.valueOf(error.getMessage()))
        : raw;
  }
}
