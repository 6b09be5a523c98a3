package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

/**
 * What the driver's exceptions mean. A server's error becomes a {@link RedisErrorReply}, which
 * removes what must not be repeated, and the driver's exception with the whole text is dropped.
 */
final class LettuceErrors {

  private LettuceErrors() {}

  /** Why a connection could not be made. */
  static RuntimeException ofConnecting(Throwable error) {
    return settled(error).orElseGet(() -> RedisConnectionFailure.cannotConnect(error));
  }

  /** Why a command failed. */
  static RuntimeException ofCommand(Throwable error) {
    return settled(error).orElseGet(() -> notAnswered(error));
  }

  /** A failure of the port, or a server's error; of several servers that were tried, any. */
  private static Optional<RuntimeException> settled(Throwable error) {
    if (error instanceof RedisConnectionFailure || error instanceof RedisErrorReply) {
      return Optional.of((RuntimeException) error);
    }
    String message = String.valueOf(error.getMessage());
    if (error instanceof RedisCommandExecutionException
        || RedisConnectionException.isProtectedMode(message)) {
      return Optional.of(new RedisErrorReply(message));
    }
    return Stream.concat(Stream.ofNullable(error.getCause()), Stream.of(error.getSuppressed()))
        .map(LettuceErrors::settled)
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static RuntimeException notAnswered(Throwable error) {
    if (error instanceof CompletionException && error.getCause() != null) {
      return notAnswered(error.getCause());
    }
    if (error instanceof RedisCommandTimeoutException) {
      return RedisConnectionFailure.timeout(error);
    }
    // Lettuce has no types for these. What is not known not to have been sent may have been.
    String message = String.valueOf(error.getMessage());
    if (message.contains("size exceeded")) {
      return RedisConnectionFailure.overloaded();
    }
    return message.matches("(Currently not connected|Connection is closed|Cannot ).*")
        ? RedisConnectionFailure.unreachable("not connected", error)
        : RedisConnectionFailure.lost(error);
  }
}
