package io.leasehold.engine;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
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
      boolean answered =
          future.isDone() && !future.isCompletedExceptionally() && future.getNow(null) != null;
      return answered
          ? future
          : future.handle(
              (reply, error) ->
                  error != null
                      ? failing.apply(failure(error))
                      : reply != null ? reply : failing.apply(silent()));
    } catch (RuntimeException | Error e) {
      return CompletableFuture.completedFuture(failing.apply(failure(e)));
    }
  }

  /**
   * Calls without looking at the answer, for {@link BlockingCalls}, which looks at it anyway.
   *
   * @return never null
   */
  static <R> CompletableFuture<R> begin(Supplier<CompletionStage<R>> request) {
    try {
      return request.get().toCompletableFuture();
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  static Failed silent() {
    return new Failed(FailureKind.OTHER, "the provider broke its contract with no answer at all");
  }

  /** The same, for a stage that may never complete: silence becomes an answer too. */
  static <R> void call(
      Supplier<CompletionStage<R>> request,
      Function<Failed, R> failing,
      Scheduler scheduler,
      long patienceNanos,
      Consumer<R> then) {
    CompletionStage<R> stage = call(request, failing);
    CompletableFuture<R> future = stage.toCompletableFuture();
    if (future.isDone()) {
      then.accept(future.join());
      return;
    }
    AtomicBoolean answered = new AtomicBoolean();
    Scheduler.Task silence =
        scheduler.schedule(
            () -> {
              if (answered.compareAndSet(false, true)) {
                then.accept(
                    failing.apply(
                        new Failed(FailureKind.TIMEOUT, "no answer within the command timeout")));
              }
            },
            patienceNanos);
    stage.whenComplete(
        (reply, impossible) -> {
          if (answered.compareAndSet(false, true)) {
            silence.cancel();
            then.accept(reply);
          }
        });
  }

  static Failed failure(Throwable error) {
    return new Failed(
        FailureKind.OTHER,
        "the provider broke its contract with " + error.getClass().getName(),
        error);
  }
}
