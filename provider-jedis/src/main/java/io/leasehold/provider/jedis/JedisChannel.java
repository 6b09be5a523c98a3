package io.leasehold.provider.jedis;

import io.leasehold.redis.RedisChannel;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.spi.FailureKind;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** Sends commands on the calling thread, each time over a connection that it takes for that. */
final class JedisChannel implements RedisChannel {
  private final Connections connections;
  private final Consumer<JedisChannel> gone;
  private final Set<Connection> busy = ConcurrentHashMap.newKeySet();
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
      connection = connections.take(end, busy);
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
    busy.remove(connection);
    connections.giveBack(connection);
    if (closed) {
      connections.close(); // once more, for this one
    }
  }

  /** Gives back a connection that is of no use any more; returns what its failure means. */
  RuntimeException lost(Connection connection, RuntimeException error) {
    cut(connection);
    giveBack(connection);
    RuntimeException failure = JedisErrors.ofCommand(error);
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
    busy.forEach(JedisChannel::cut);
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
    connection.setSoTimeout(millis(end));
    for (RedisCommand command : commands) {
      byte[] name = command.name().getBytes(StandardCharsets.UTF_8);
      CommandArguments words = new CommandArguments(() -> name);
      command.args().forEach(words::add);
      connection.sendCommand(words);
    }
    List<Object> replies = new ArrayList<>(commands.size());
    while (replies.size() < commands.size()) {
      connection.setSoTimeout(millis(end)); // anew each time: it bounds a read, not all of them
      replies.add(reply(connection.getMany(1).get(0)));
    }
    connection.setSoTimeout(timeout);
    return replies;
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

  /** A reply as the contract has it. RESP3, which an application's client may speak, has more. */
  private static Object reply(Object raw) {
    if (raw instanceof JedisDataException error) {
      return new RedisErrorReply(String.valueOf(error.getMessage()));
    }
    if (raw instanceof List<?> list) {
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
