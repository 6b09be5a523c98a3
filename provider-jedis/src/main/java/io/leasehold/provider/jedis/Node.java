package io.leasehold.provider.jedis;

import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ConnectionProvider;

/**
 * One server: its connections, and what they reply.
 *
 * @param address equal for the same server
 * @param source the driver's pool, or a provider that does not show it; null if it is unknown
 */
record Node(String address, @Nullable Object source) {

  /**
   * Sends commands on a connection that nothing else uses meanwhile, and reads their replies. When
   * the call fails, because it is late, the connection is cut: socket timeouts bound one read, not
   * a reply that comes byte by byte. The threads do what may take longer.
   */
  List<Object> exchange(
      CompletableFuture<?> call,
      Connection connection,
      List<RedisCommand> commands,
      Executor threads) {
    AtomicBoolean over = new AtomicBoolean(); // whether the connection was given back, or cut
    var unused =
        call.whenComplete(
            (done, late) -> {
              if (late != null && !over.getAndSet(true)) {
                threads.execute(() -> cut(connection));
              }
            });
    try {
      for (RedisCommand command : commands) {
        if (over.get()) { // Jedis would connect again, without logging in
          throw new JedisConnectionException("cut");
        }
        send(connection, command);
      }
      List<Object> replies = new ArrayList<>(connection.getMany(commands.size()));
      replies.replaceAll(Node::reply);
      if (over.getAndSet(true)) {
        throw new JedisConnectionException("cut");
      }
      connection.close(); // gives it back
      return replies;
    } catch (RuntimeException e) {
      threads.execute(() -> discard(connection));
      throw over.getAndSet(true) ? RedisConnectionFailure.timeout(null) : ofCommand(e);
    }
  }

  static void send(Connection connection, RedisCommand command) {
    byte[] name = command.name().getBytes(StandardCharsets.US_ASCII);
    ProtocolCommand word = () -> name;
    connection.sendCommand(word, command.args().toArray(new byte[0][]));
  }

  /** Takes an idle connection; or another thread waits for one, or makes one. */
  Connection take(CompletableFuture<?> call, Duration wait, Executor threads) {
    boolean idle = source instanceof ConnectionPool pool && pool.getNumIdle() > 0;
    CompletableFuture<Connection> taken =
        CompletableFuture.supplyAsync(() -> take(wait), idle ? Runnable::run : threads);
    try {
      return await(call, taken);
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

  private Connection take(Duration wait) {
    try {
      if (!(source instanceof ConnectionPool pool)) {
        return connect();
      }
      Connection connection = pool.borrowObject(wait);
      connection.setHandlingPool(pool);
      return connection;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw ofConnecting(e);
    }
  }

  /** A connection for a subscription, of which there may be many: pools are for calls. */
  Connection connect() throws Exception {
    if (source instanceof ConnectionPool pool) {
      return pool.getFactory().makeObject().getObject();
    }
    if (source instanceof ConnectionProvider provider) {
      return provider.getConnection();
    }
    throw RedisConnectionFailure.unreachable("the driver does not know the node yet", null);
  }

  /**
   * Ends a connection that cannot be used again, and the idle ones, which are likely to be lost,
   * too. May block: some pools replace it at once, even if they are being closed.
   */
  private void discard(Connection connection) {
    if (source instanceof ConnectionPool pool) {
      pool.clear();
    }
    end(connection);
    if (source instanceof ConnectionPool pool && pool.isClosed()) {
      pool.clear();
    }
  }

  /** Ends a connection. May block. */
  static void end(Connection connection) {
    cut(connection);
    connection.close();
  }

  /** Closes the socket under the thread that uses it. May block with Jedis 6. */
  private static void cut(Connection connection) {
    connection.setBroken();
    try {
      connection.forceDisconnect();
    } catch (NoSuchMethodError e) { // Jedis 6 has only one that first writes what is buffered
      connection.disconnect();
    } catch (IOException e) {
      // It cannot be used again, closed or not.
    }
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
      return list.stream()
          .flatMap(
              each ->
                  each instanceof Map.Entry<?, ?> entry
                      ? Stream.of(entry.getKey(), entry.getValue())
                      : Stream.of(each))
          .map(Node::reply)
          .toList();
    }
    return raw instanceof JedisDataException error
        ? new RedisErrorReply(String.valueOf(error.getMessage()))
        : raw;
  }
}
