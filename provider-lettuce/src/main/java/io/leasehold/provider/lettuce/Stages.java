package io.leasehold.provider.lettuce;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Operations on stages. */
final class Stages {

  private Stages() {}

  /** Calls an action with the value or the error, when there is one. */
  static <T> void then(
      CompletionStage<T> stage, BiConsumer<? super T, ? super @Nullable Throwable> action) {
    stage.whenComplete(action);
  }

  /**
   * The same as a plain stage: a {@link io.lettuce.core.ConnectionFuture} never completes what its
   * stage methods of JDK 12 and later return.
   */
  static <T> CompletableFuture<T> plain(CompletionStage<T> stage) {
    CompletableFuture<T> plain = new CompletableFuture<>();
    pass(stage, plain);
    return plain;
  }

  /** Completes a future as a stage completes. */
  static <T> void pass(CompletionStage<T> stage, CompletableFuture<? super T> to) {
    then(
        stage,
        (value, error) -> {
          if (error == null) {
            to.complete(value);
          } else {
            to.completeExceptionally(error);
          }
        });
  }

  /** All values, in their order. */
  static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> each) {
    return CompletableFuture.allOf(each.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            done -> {
              List<T> values = new ArrayList<>(each.size());
              each.forEach(one -> values.add(one.join()));
              return values;
            });
  }

  /** Whether a future has a value already. */
  static boolean isThere(CompletableFuture<?> future) {
    return future.isDone() && !future.isCompletedExceptionally();
  }
}
