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
      CompletionStage<R> stage = request.get();
      if (stage instanceof CompletableFuture<R> future
          && future.isDone()
          && !future.isCompletedExceptionally()) {
        return stage;
      }
      return stage.exceptionally(error -> failing.apply(failure(error)));
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
