package io.leasehold.provider.jedis.port;

import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** Commands and their replies on a connection that nothing else uses meanwhile. */
final class Exchange {
  private static final byte[][] NONE = {};

  /** What has come; errors are among them, and redirections as Jedis' exceptions. */
  final List<Object> replies = new ArrayList<>();

  private final Calls calls;
  private final CompletableFuture<Object> call;
  private final Connection connection;
  private final List<RedisCommand> commands;
  private final boolean asking;
  private final AtomicBoolean over = new AtomicBoolean(); // decides who ends the connection's use

  /**
   * Sends the commands.
   *
   * @param asking whether the server is taking over their slot
   */
  Exchange(
      Calls calls,
      CompletableFuture<Object> call,
      Connection connection,
      List<RedisCommand> commands,
      boolean asking) {
    this.calls = calls;
    this.call = call;
    this.connection = connection;
    this.commands = commands;
    this.asking = asking;
    var unused = call.whenComplete((done, late) -> cutIf(late));
    try {
      for (RedisCommand command : commands) {
        if (over.get()) { // Jedis would connect again, without logging in
          throw new JedisConnectionException("cut");
        }
        if (asking) {
          connection.sendCommand(Command.ASKING);
        }
        send(connection, command);
      }
      connection.getMany(0); // flushes
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  static void send(Connection connection, RedisCommand command) {
    byte[] name = command.name().getBytes(StandardCharsets.US_ASCII);
    ProtocolCommand word = () -> name;
    connection.sendCommand(word, command.args().toArray(NONE));
  }

  /** Reads the replies. */
  void read() {
    try {
      while (replies.size() < commands.size()) {
        if (asking) {
          next();
        }
        replies.add(next());
      }
    } catch (RuntimeException e) {
      throw failed(e);
    }
    if (over.compareAndSet(false, true)) {
      giveBack(connection);
    } else {
      discard(calls, connection);
    }
  }

  private @Nullable Object next() {
    try {
      return Replies.of(connection.getOne());
    } catch (JedisRedirectionException redirection) {
      return redirection;
    } catch (JedisDataException error) {
      return Replies.of(error);
    }
  }

  private void cutIf(@Nullable Throwable late) {
    if (late != null && over.compareAndSet(false, true)) {
      calls.later(() -> cut(connection));
    }
  }

  private RuntimeException failed(RuntimeException error) {
    over.set(true);
    discard(calls, connection);
    return call.isCompletedExceptionally()
        ? RedisConnectionFailure.timeout(null)
        : Failures.ofReading(error);
  }

  static void giveBack(Connection connection) {
    try {
      connection.close();
    } catch (JedisException e) {
      // The pool was closed meanwhile, and the connection with it.
    }
  }

  /** Ends a connection that cannot be used again. Its pool may block while it replaces it. */
  static void discard(Calls calls, Connection connection) {
    connection.setBroken();
    calls.later(
        () -> {
          cut(connection);
          connection.close();
        });
  }

  /** Closes the socket under the thread that uses it. */
  private static void cut(Connection connection) {
    try {
      connection.forceDisconnect();
    } catch (NoSuchMethodError e) { // Jedis 6 has only one that first writes what is buffered
      disconnect(connection);
    } catch (IOException e) {
      // It cannot be used again, closed or not.
    }
  }

  private static void disconnect(Connection connection) {
    try {
      connection.disconnect();
    } catch (JedisException e) {
      // as above
    }
  }
}
