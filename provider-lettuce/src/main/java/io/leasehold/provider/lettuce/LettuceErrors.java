package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.spi.FailureKind;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/**
 * What the driver's exceptions mean.
 *
 * <p>A server's error becomes a {@link RedisErrorReply}, which removes what must not be repeated;
 * the driver's exception, whose message is the server's text as it came, is dropped with it.
 */
final class LettuceErrors {
  private static final int LONGEST = 200;

  private LettuceErrors() {}

  /** Why a command failed. */
  static RuntimeException ofCommand(Throwable thrown) {
    Throwable error = unwrap(thrown);
    Optional<RedisErrorReply> reply = errorReply(error);
    if (reply.isPresent()) {
      return reply.get();
    }
    if (error instanceof RedisCommandTimeoutException) {
      return new RedisConnectionFailure(
          FailureKind.TIMEOUT, "no reply within the command timeout", error);
    }
    // Lettuce has no types for these. Whatever is not known not to have been sent may have been.
    String message = String.valueOf(error.getMessage());
    if (message.contains("size exceeded")) {
      return new RedisConnectionFailure(
          FailureKind.OVERLOADED, "too many requests wait for their replies", error);
    }
    if (message.startsWith("Currently not connected") || message.equals("Connection is closed")) {
      return new RedisConnectionFailure(FailureKind.UNREACHABLE, "not connected", error);
    }
    return new RedisConnectionFailure(
        FailureKind.CONNECTION_LOST, "the connection broke before the reply came", error);
  }

  /** Why a connection could not be made. */
  static RuntimeException ofConnecting(Throwable thrown) {
    Throwable error = unwrap(thrown);
    Optional<RedisErrorReply> reply = errorReply(error);
    if (reply.isPresent()) {
      return reply.get();
    }
    String why = "";
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      why = why(cause);
      if (cause instanceof UnknownHostException || cause instanceof RedisCommandTimeoutException) {
        break; // what lies below says less
      }
    }
    return new RedisConnectionFailure(FailureKind.UNREACHABLE, "cannot connect: " + why, error);
  }

  private static String why(Throwable cause) {
    if (cause instanceof RedisCommandTimeoutException) {
      return "the server accepts connections but does not answer";
    }
    if (cause instanceof UnknownHostException) {
      return "the host is not known";
    }
    if (cause instanceof ClosedChannelException) {
      return "the server closed the connection";
    }
    String message = String.valueOf(cause.getMessage());
    return message.substring(0, Math.min(message.length(), LONGEST));
  }

  /** What a stage failed with, without the wrapping of stages that depend on it. */
  static Throwable unwrap(Throwable error) {
    return error instanceof CompletionException && error.getCause() != null
        ? error.getCause()
        : error;
  }

  private static Optional<RedisErrorReply> errorReply(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      if (cause instanceof RedisCommandExecutionException
          || (cause instanceof RedisConnectionException
              && RedisConnectionException.isProtectedMode(message))) {
        return Optional.of(new RedisErrorReply(message));
      }
    }
    return Optional.empty();
  }
}
