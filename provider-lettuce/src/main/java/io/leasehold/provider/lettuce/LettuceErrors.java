package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

/**
 * What the driver's exceptions mean. A server's error becomes a {@link RedisErrorReply}, which
 * removes what must not be repeated; the driver's exception, whose message is the server's text as
 * it came, is dropped with it.
 */
final class LettuceErrors {

  private LettuceErrors() {}

  /** Why a command failed. */
  static RuntimeException ofCommand(Throwable error) {
    return settled(error).orElseGet(() -> notAnswered(unwrapped(error)));
  }

  /** Why a connection could not be made. */
  static RuntimeException ofConnecting(Throwable error) {
    return settled(error).orElseGet(() -> notConnected(unwrapped(error)));
  }

  /** A failure of the port, or a server's error; of several servers that were tried, any. */
  private static Optional<RuntimeException> settled(Throwable error) {
    return causes(error).map(LettuceErrors::settledBy).flatMap(Optional::stream).findFirst();
  }

  private static Optional<RuntimeException> settledBy(Throwable cause) {
    if (cause instanceof RedisConnectionFailure || cause instanceof RedisErrorReply) {
      return Optional.of((RuntimeException) cause);
    }
    return cause instanceof RedisCommandExecutionException
            || (cause instanceof RedisConnectionException
                && RedisConnectionException.isProtectedMode(cause.getMessage()))
        ? Optional.of(new RedisErrorReply(String.valueOf(cause.getMessage())))
        : Optional.empty();
  }

  private static Stream<Throwable> causes(Throwable error) {
    return Stream.iterate(error, Objects::nonNull, Throwable::getCause)
        .flatMap(
            cause ->
                Stream.concat(
                    Stream.of(cause),
                    Stream.of(cause.getSuppressed()).flatMap(LettuceErrors::causes)));
  }

  private static Throwable unwrapped(Throwable error) {
    return error instanceof CompletionException && error.getCause() != null
        ? error.getCause()
        : error;
  }

  private static RuntimeException notAnswered(Throwable error) {
    if (error instanceof RedisCommandTimeoutException) {
      return RedisConnectionFailure.timeout(error);
    }
    // Lettuce has no types for these. What is not known not to have been sent may have been.
    String message = String.valueOf(error.getMessage());
    if (message.contains("size exceeded")) {
      return RedisConnectionFailure.overloaded();
    }
    return message.startsWith("Currently not connected") || message.equals("Connection is closed")
        ? RedisConnectionFailure.unreachable("not connected", error)
        : RedisConnectionFailure.lost(error);
  }

  private static RuntimeException notConnected(Throwable error) {
    return causes(error).anyMatch(RedisCommandTimeoutException.class::isInstance)
        ? RedisConnectionFailure.unreachable(
            "cannot connect: the server accepts connections but does not answer", error)
        : RedisConnectionFailure.cannotConnect(error);
  }
}
