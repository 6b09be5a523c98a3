package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

/** What the failures of a port mean: those of the driver, and its own. */
final class PortErrors {

  private PortErrors() {}

  /** Why a command failed. */
  static RuntimeException ofCommand(Throwable thrown) {
    Throwable error = unwrap(thrown);
    return isOwn(error) ? (RuntimeException) error : LettuceErrors.ofCommand(error);
  }

  /** Why a connection could not be made. */
  static RuntimeException ofConnecting(Throwable thrown) {
    Throwable error = unwrap(thrown);
    return isOwn(error) ? (RuntimeException) error : LettuceErrors.ofConnecting(error);
  }

  /** Whether a sentinel wanted a login; what was suppressed counts, because all are asked. */
  static boolean lacksLogin(Throwable error) {
    return Stream.iterate(error, Objects::nonNull, Throwable::getCause)
        .flatMap(cause -> Stream.concat(Stream.of(cause), Stream.of(cause.getSuppressed())))
        .anyMatch(cause -> String.valueOf(cause.getMessage()).contains("NOAUTH"));
  }

  private static boolean isOwn(Throwable error) {
    return error instanceof RedisConnectionFailure || error instanceof RedisErrorReply;
  }

  private static Throwable unwrap(Throwable error) {
    return error instanceof CompletionException && error.getCause() != null
        ? error.getCause()
        : error;
  }
}
