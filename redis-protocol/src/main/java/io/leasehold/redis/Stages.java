package io.leasehold.redis;

import io.leasehold.spi.FailureKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Small things about stages. */
final class Stages {

  private Stages() {}

  /** What a stage failed with, without the wrapping of stages that depend on it. */
  static Throwable unwrap(Throwable error) {
    Throwable cause = error;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** Whether the server said this word, and so did nothing. */
  static boolean said(String code, Throwable error) {
    return unwrap(error) instanceof RedisErrorReply reply && reply.code().equals(code);
  }

  /** As {@link #unwrap}; whatever a driver should not have thrown is a lost connection. */
  static RuntimeException reason(Throwable error) {
    Throwable cause = unwrap(error);
    return cause instanceof RedisErrorReply
            || cause instanceof RedisConnectionFailure
            || cause instanceof ServerRefused
            || cause instanceof UnreadableReplyException
        ? (RuntimeException) cause
        : new RedisConnectionFailure(
            FailureKind.CONNECTION_LOST,
            "the driver failed: " + cause.getClass().getSimpleName(),
            cause);
  }

  /** All values, in order, when all are there. */
  static <T> CompletionStage<List<T>> all(List<? extends CompletionStage<T>> stages) {
    List<CompletableFuture<T>> all =
        stages.stream().map(CompletionStage::toCompletableFuture).toList();
    return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
  }

  /** As the supplier's stage; fails with what the supplier throws. */
  static <T> CompletionStage<T> begin(Supplier<CompletionStage<T>> supplier) {
    return CompletableFuture.completedStage(supplier).thenCompose(Supplier::get);
  }

  /**
   * The reply, if it is not an error.
   *
   * @throws RedisErrorReply if it is
   */
  static Object accepted(Object reply) {
    if (reply instanceof RedisErrorReply error) {
      throw error;
    }
    return reply;
  }

  /**
   * A reply that is text.
   *
   * @throws RedisErrorReply if it is an error
   */
  static String text(Object reply) {
    if (accepted(reply) instanceof byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
    throw new UnreadableReplyException("the server's reply is not text");
  }

  /** Waits for a stage on the calling thread, and returns it completed, one way or the other. */
  static <T> CompletionStage<T> await(CompletionStage<T> stage, long nanos) {
    try {
      return CompletableFuture.completedStage(
          stage.toCompletableFuture().get(nanos, TimeUnit.NANOSECONDS));
    } catch (ExecutionException e) {
      return CompletableFuture.failedStage(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      return CompletableFuture.failedStage(
          RedisConnectionFailure.unreachable("not connected in time", null));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return CompletableFuture.failedStage(
          RedisConnectionFailure.unreachable("interrupted while connecting", null));
    }
  }
}
