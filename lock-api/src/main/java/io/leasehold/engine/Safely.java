package io.leasehold.engine;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Calls a node that may break its contract by throwing: whatever it throws becomes an answer. */
final class Safely {
  private Safely() {}

  static <R> CompletionStage<R> call(
      Supplier<CompletionStage<R>> request, Function<Failed, R> failing) {
    try {
      // Not instanceof: a stage may be a CompletableFuture that refuses to be used as one.
      CompletableFuture<R> future = request.get().toCompletableFuture();
      boolean answered = future.isDone() && !future.isCompletedExceptionally();
      return answered ? future : future.exceptionally(error -> failing.apply(failure(error)));
    } catch (RuntimeException | Error e) {
      return CompletableFuture.completedFuture(failing.apply(failure(e)));
    }
  }

  static Failed failure(Throwable error) {
    return new Failed(
        FailureKind.OTHER,
        "the provider broke its contract with " + error.getClass().getName(),
        error);
  }
}
