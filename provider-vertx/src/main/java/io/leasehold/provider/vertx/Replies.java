package io.leasehold.provider.vertx;

import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commands, replies and exceptions, from and to those of the driver. It has hardly any types for
 * errors: an error reply is a {@link Response} that can be thrown, and so are some failures of the
 * connection; the rest are texts.
 */
final class Replies {
  private Replies() {}

  static Request request(RedisCommand command) {
    return Request.cmd(Command.create(command.name()), command.args().toArray());
  }

  static @Nullable Object plain(@Nullable Response reply) {
    if (reply == null) {
      return null;
    }
    return switch (reply.type()) {
      case BULK -> reply.toBytes();
      case MULTI, PUSH -> list(reply);
      case ERROR -> new RedisErrorReply(reply.toString());
      case NUMBER -> reply.toLong();
      // The driver reads lines as Latin-1, whatever they are: this gives the bytes.
      default -> reply.toString().getBytes(StandardCharsets.ISO_8859_1);
    };
  }

  private static List<@Nullable Object> list(Response reply) {
    List<@Nullable Object> items = new ArrayList<>(reply.size());
    if (reply.isMap()) { // of RESP3, which an application's client may speak
      for (String key : reply.getKeys()) {
        items.add(key.getBytes(StandardCharsets.UTF_8));
        items.add(plain(reply.get(key)));
      }
    } else {
      reply.forEach(item -> items.add(plain(item)));
    }
    return items;
  }

  /** The server's error, if that is what it is. */
  static @Nullable RedisErrorReply errorReply(Throwable error) {
    String message = String.valueOf(error.getMessage());
    if (message.contains("ommand is not valid")) {
      // Not sent: the driver counts arguments itself. Its text quotes them, a secret perhaps.
      return new RedisErrorReply("ERR wrong number of arguments");
    }
    boolean sent = error instanceof Response && !message.startsWith("ILLEGAL_STATE ");
    return sent && !message.equals("CONNECTION_CLOSED") ? new RedisErrorReply(message) : null;
  }

  /** Whether a command was not sent because too many wait for their replies. */
  static boolean isOverload(Throwable error) {
    return "Redis waiting queue is full".equals(error.getMessage());
  }

  static RedisConnectionFailure gone() {
    return RedisConnectionFailure.unreachable("the connection has been lost", null);
  }

  /** Why a call failed. What is not known not to have been sent may have been. */
  static RuntimeException failure(Throwable error) {
    if (error instanceof RedisConnectionFailure || error instanceof RedisErrorReply) {
      return (RuntimeException) error;
    }
    if (error instanceof IllegalArgumentException) { // it may quote a URL with a password
      return RedisConnectionFailure.unreachable("the driver cannot read the address", null);
    }
    return isOverload(error)
        ? RedisConnectionFailure.overloaded()
        : "Connection is closed".equals(error.getMessage())
            ? gone()
            : RedisConnectionFailure.lost(error);
  }

  /** Why there is no connection. */
  static RuntimeException unreachable(Throwable error) {
    RedisErrorReply refused = errorReply(error);
    return refused == null ? RedisConnectionFailure.cannotConnect(error) : refused;
  }
}
