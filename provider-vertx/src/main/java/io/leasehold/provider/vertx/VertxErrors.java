package io.leasehold.provider.vertx;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.spi.FailureKind;
import io.vertx.redis.client.Response;
import java.net.UnknownHostException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the driver's exceptions mean. It has hardly any types for them: an error reply is a {@link
 * Response} that can be thrown, and so are failures of the connection; the rest are texts.
 */
final class VertxErrors {
  private static final int LONGEST = 200;

  private VertxErrors() {}

  static RedisConnectionFailure closed() {
    return of(FailureKind.CLOSED, "the client is closed", null);
  }

  static RedisConnectionFailure overloaded() {
    return of(FailureKind.OVERLOADED, "too many commands wait for their replies", null);
  }

  static RedisConnectionFailure gone() {
    return of(FailureKind.UNREACHABLE, "the connection has been lost", null);
  }

  static RedisConnectionFailure silent() {
    return of(FailureKind.UNREACHABLE, "no answer within the connect timeout", null);
  }

  /** The server's error, if that is what it is. */
  static Optional<RedisErrorReply> errorReply(Throwable error) {
    String message = String.valueOf(error.getMessage());
    if (message.startsWith("Command is not valid")) {
      // Not sent: the driver counts arguments itself. Its text quotes them, a secret perhaps.
      return Optional.of(new RedisErrorReply("ERR wrong number of arguments"));
    }
    return error instanceof Response
            && !message.equals("CONNECTION_CLOSED")
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
      case "Redis waiting queue is full" -> overloaded();
      case "Connection is closed" -> gone();
      default -> lost(error); // what is not known not to have been sent may have been
    };
  }

  static RedisConnectionFailure lost(Throwable cause) {
    return of(FailureKind.CONNECTION_LOST, "the connection broke before the reply came", cause);
  }

  /** Why a connection could not be made. */
  static RuntimeException ofConnecting(Throwable error) {
    if (error instanceof RedisConnectionFailure || error instanceof RedisErrorReply) {
      return (RuntimeException) error;
    }
    Optional<RedisErrorReply> reply = errorReply(error);
    return reply.isPresent()
        ? reply.get()
        : of(FailureKind.UNREACHABLE, "cannot connect: " + why(error), error);
  }

  private static String why(Throwable error) {
    Throwable cause = error;
    while (cause.getCause() != null && !(cause instanceof UnknownHostException)) {
      cause = cause.getCause();
    }
    String message = String.valueOf(cause.getMessage());
    if (cause instanceof UnknownHostException) {
      return "the host is not known";
    }
    return message.equals("CONNECTION_CLOSED")
        ? "the server closed the connection"
        : message.substring(0, Math.min(message.length(), LONGEST));
  }

  private static RedisConnectionFailure of(
      FailureKind kind, String message, @Nullable Throwable cause) {
    return new RedisConnectionFailure(kind, message, cause);
  }
}
