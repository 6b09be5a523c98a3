package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.NodeUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What the driver's exceptions mean.
 *
 * <p>A server's error becomes a {@link RedisErrorReply}, which removes what must not be repeated;
 * the driver's exception, whose message is the server's text as it came, is dropped with it.
 */
final class LettuceErrors {

  private LettuceErrors() {}

  /** Asks a client something, which may have to connect for it. */
  static <T> T reported(Supplier<T> question) {
    try {
      return question.get();
    } catch (RedisException e) {
      throw new NodeUnavailableException(
          "cluster", new Failed(FailureKind.UNREACHABLE, "the client finds no node of it", e));
    }
  }

  /** Why a command failed. */
  static RuntimeException ofCommand(Throwable thrown) {
    Throwable error = unwrap(thrown);
    return errorReply(error).orElseGet(() -> notAnswered(error));
  }

  /** Why a connection could not be made. */
  static RuntimeException ofConnecting(Throwable thrown) {
    Throwable error = unwrap(thrown);
    return errorReply(error).orElseGet(() -> notConnected(error));
  }

  /** What a stage failed with, without the wrapping of stages that depend on it. */
  private static Throwable unwrap(Throwable error) {
    return error instanceof CompletionException && error.getCause() != null
        ? error.getCause()
        : error;
  }

  private static Stream<Throwable> causes(Throwable error) {
    return Stream.iterate(error, Objects::nonNull, Throwable::getCause);
  }

  private static Optional<RuntimeException> errorReply(Throwable error) {
    return causes(error)
        .filter(
            cause ->
                cause instanceof RedisCommandExecutionException
                    || (cause instanceof RedisConnectionException
                        && RedisConnectionException.isProtectedMode(cause.getMessage())))
        .findFirst()
        .map(cause -> new RedisErrorReply(String.valueOf(cause.getMessage())));
  }

  private static RuntimeException notAnswered(Throwable error) {
    if (error instanceof RedisCommandTimeoutException) {
      return RedisConnectionFailure.timeout(error);
    }
    // Lettuce has no types for these. Whatever is not known not to have been sent may have been.
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
