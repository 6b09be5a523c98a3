package io.leasehold.provider.vertx;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.vertx.redis.client.Response;
import java.nio.channels.ClosedChannelException;
import java.util.Optional;

/**
 * What the driver's exceptions mean. It has hardly any types for them: an error reply is a {@link
 * Response} that can be thrown, and so are failures of the connection; the rest are texts.
 */
final class VertxErrors {
  private static final String CLOSED = "CONNECTION_CLOSED";

  private VertxErrors() {}

  static RedisConnectionFailure gone() {
    return RedisConnectionFailure.unreachable("the connection has been lost", null);
  }

  /** The server's error, if that is what it is. */
  static Optional<RedisErrorReply> errorReply(Throwable error) {
    String message = String.valueOf(error.getMessage());
    if (message.startsWith("Command is not valid")) {
      // Not sent: the driver counts arguments itself. Its text quotes them, a secret perhaps.
      return Optional.of(new RedisErrorReply("ERR wrong number of arguments"));
    }
    return error instanceof Response
            && !message.equals(CLOSED)
            && !message.startsWith("ILLEGAL_STATE ")
        ? Optional.of(new RedisErrorReply(message))
        : Optional.empty();
  }

  /** Why a command will have no reply. */
  static RedisConnectionFailure ofCommand(Throwable error) {
    if (error instanceof RedisConnectionFailure failure) {
      return failure;
    }
    return switch (String.valueOf(error.getMessage())) {
      case "Redis waiting queue is full" -> RedisConnectionFailure.overloaded();
      case "Connection is closed" -> gone();
      // What is not known not to have been sent may have been.
      default -> RedisConnectionFailure.lost(error);
    };
  }

  /** Why a connection could not be made. */
  static RuntimeException ofConnecting(Throwable error) {
    if (error instanceof RedisConnectionFailure || error instanceof RedisErrorReply) {
      return (RuntimeException) error;
    }
    Throwable cause = CLOSED.equals(error.getMessage()) ? new ClosedChannelException() : error;
    return errorReply(error)
        .<RuntimeException>map(reply -> reply)
        .orElseGet(() -> RedisConnectionFailure.cannotConnect(cause));
  }
}
