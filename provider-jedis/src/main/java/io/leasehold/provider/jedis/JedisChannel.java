package io.leasehold.provider.jedis;

import io.leasehold.redis.RedisChannel;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.ReplyHandler;
import io.leasehold.spi.FailureKind;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Sends commands on the calling thread, each time over a connection that it takes for that; or,
 * when many threads do so at the same time, over one that they share.
 */
final class JedisChannel implements RedisChannel {
  private final Connections connections;
  private final Consumer<JedisChannel> gone;
  private volatile boolean closed;

  JedisChannel(Connections connections, Consumer<JedisChannel> gone) {
    this.connections = connections;
    this.gone = gone;
  }

  @Override
  public CompletionStage<List<Object>> send(List<RedisCommand> commands, Duration within) {
    try {
      return CompletableFuture.completedFuture(exchange(commands, within));
    } catch (RedisErrorReply refused) {
      // A server that does not let us in has answered, and executed none of the commands.
      return CompletableFuture.completedFuture(Collections.nCopies(commands.size(), refused));
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  @Override
  public void send(RedisCommand command, Duration within, ReplyHandler handler) {
    Object reply;
    try {
      reply = exchange(command, within);
    } catch (RedisErrorReply refused) {
      reply = refused;
    } catch (RuntimeException failure) {
      handler.failed(failure);
      return;
    }
    handler.replied(reply);
  }

  private @Nullable Object exchange(RedisCommand command, Duration within) {
    long end = System.nanoTime() + within.toNanos();
    try {
      return connections.sharing().exchange(command, end, () -> alone(command, end));
    } catch (RuntimeException e) { // of alone, of waiting for a reply, or of making a connection
      throw failure(JedisErrors.ofConnecting(e));
    } finally {
      if (closed) {
        connections.close(); // once more, if one was made meanwhile
      }
    }
  }

  private @Nullable Object alone(RedisCommand command, long end) {
    Connection connection = take(end);
    try {
      int timeout = connection.getSoTimeout();
      limit(connection, millis(end));
      connection.sendCommand(OwnConnection.words(connection, command));
      Object reply = read(connection);
      limit(connection, timeout);
      giveBack(connection);
      return reply;
    } catch (RuntimeException e) {
      throw lost(connection, e);
    }
  }

  /** As {@link #send}; throws a RedisErrorReply when the server refuses a new connection. */
  List<Object> exchange(List<RedisCommand> commands, Duration within) {
    long end = System.nanoTime() + within.toNanos();
    Connection connection = take(end);
    try {
      List<Object> replies = exchange(connection, commands, end);
      giveBack(connection);
      return replies;
    } catch (RuntimeException e) {
      throw lost(connection, e);
    }
  }

  /** Takes a connection, which {@link #close} cuts until it is given back or lost. */
  Connection take(long end) {
    Connection connection;
    try {
      if (closed) {
        throw RedisConnectionFailure.closed();
      }
      connection = connections.take(end);
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw closed ? RedisConnectionFailure.closed() : JedisErrors.ofConnecting(e);
    }
    if (closed) {
      throw lost(connection, RedisConnectionFailure.closed());
    }
    return connection;
  }

  private void giveBack(Connection connection) {
    connections.giveBack(connection);
    if (closed) {
      connections.close(); // once more, for this one
    }
  }

  /** Gives back a connection that is of no use any more; returns what its failure means. */
  RuntimeException lost(Connection connection, RuntimeException error) {
    cut(connection);
    giveBack(connection);
    return failure(JedisErrors.ofCommand(error));
  }

  private RuntimeException failure(RuntimeException failure) {
    if (failure instanceof RedisConnectionFailure lost
        && lost.kind() == FailureKind.CONNECTION_LOST
        && !closed) {
      connections.dropIdle(); // they are likely to be lost, too
    }
    return closed ? RedisConnectionFailure.closed() : failure;
  }

  boolean closed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    connections.cutTaken();
    connections.close();
    gone.accept(this);
  }

  /** Ends a connection under whoever uses it. */
  static void cut(Connection connection) {
    try {
      connection.forceDisconnect();
    } catch (IOException e) {
      // It is of no use any more, closed or not.
    }
  }

  /** Sends commands and reads their replies; what Jedis throws says that they did not all come. */
  static List<Object> exchange(Connection connection, List<RedisCommand> commands, long end) {
    int timeout = connection.getSoTimeout();
    for (RedisCommand command : commands) {
      write(connection, command, end);
    }
    List<Object> replies = new ArrayList<>(commands.size());
    while (replies.size() < commands.size()) {
      replies.add(next(connection, end));
    }
    limit(connection, timeout);
    return replies;
  }

  static void write(Connection connection, RedisCommand command, long end) {
    limit(connection, millis(end));
    connection.sendCommand(OwnConnection.words(connection, command));
  }

  /** Reads what comes next. */
  static @Nullable Object next(Connection connection, long end) {
    limit(connection, millis(end)); // anew each time: it bounds a read, not all of them
    return read(connection);
  }

  private static @Nullable Object read(Connection connection) {
    try {
      return reply(connection.getOne());
    } catch (JedisDataException error) {
      return new RedisErrorReply(String.valueOf(error.getMessage()));
    }
  }

  private static void limit(Connection connection, int millis) {
    if (connection.getSoTimeout() != millis) {
      connection.setSoTimeout(millis);
    }
  }

  /** The same for commands that say nothing new; throws an error that is among the replies. */
  static void tell(Connection connection, List<RedisCommand> commands, long end) {
    for (Object reply : exchange(connection, commands, end)) {
      if (reply instanceof RedisErrorReply refused) {
        throw refused;
      }
    }
  }

  /** The time that is left, as sockets take it: never 0, which would mean for ever. */
  static int millis(long end) {
    long left = end - System.nanoTime();
    if (left <= 0) {
      throw new JedisConnectionException(new SocketTimeoutException("the time is over"));
    }
    return (int) Math.min(Integer.MAX_VALUE, 1 + left / 1_000_000);
  }

  /** Whether nothing in it needs to be made into something else. */
  private static boolean isPlain(List<?> list) {
    for (int i = 0; i < list.size(); i++) {
      Object element = list.get(i);
      if (element != null && !(element instanceof byte[]) && !(element instanceof Long)) {
        return false;
      }
    }
    return true;
  }

  /** A reply as the contract has it. RESP3, which an application's client may speak, has more. */
  private static Object reply(Object raw) {
    if (raw instanceof JedisDataException error) {
      return new RedisErrorReply(String.valueOf(error.getMessage()));
    }
    if (raw instanceof List<?> list) {
      if (isPlain(list)) {
        return list;
      }
      List<Object> replies = new ArrayList<>(list.size());
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
    if (raw instanceof Boolean truth) {
      return truth ? 1L : 0L;
    }
    return raw instanceof Double ? raw.toString().getBytes(StandardCharsets.US_ASCII) : raw;
  }
}
