package io.leasehold.micronaut;

import io.leasehold.Lease;
import io.leasehold.LeaseLostException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Methods that are done when the stage that they return is. No thread waits for anything. A caller
 * that cancels the future gives up waiting for the lock; once the method has been called, the lock
 * is held until its stage is complete, because its work goes on.
 */
final class StageCalls {
  private StageCalls() {}

  static CompletionStage<@Nullable Object> call(LockedCall call, Class<?> returned) {
    CompletableFuture<Lease> acquiring = call.acquireAsync();
    CompletionStage<Lease> acquired = acquiring;
    CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
    CompletionStage<@Nullable Object> told = result;
    acquired.whenComplete(
        (lease, failure) -> {
          if (failure == null) {
            run(call, lease, result);
          } else if (call.skips(failure)) {
            result.complete(BlockingCalls.skipped(returned));
          } else {
            result.completeExceptionally(LockedCall.unwrapped(failure));
          }
        });
    told.whenComplete(
        (value, failure) -> {
          if (failure instanceof CancellationException) {
            acquiring.cancel(true);
          }
        });
    return result;
  }

  private static void run(
      LockedCall call, Lease lease, CompletableFuture<@Nullable Object> result) {
    long since = System.nanoTime();
    if (result.isDone()) { // cancelled at the last moment
      call.endAsync(lease, since);
      return;
    }
    work(call, lease)
        .whenComplete(
            (value, failure) -> {
              call.endAsync(lease, since)
                  .thenRun(
                      () -> {
                        Optional<LeaseLostException> loss = call.loss(lease);
                        if (failure != null) {
                          result.completeExceptionally(LockedCall.unwrapped(failure));
                        } else if (loss.isPresent()) {
                          result.completeExceptionally(loss.get());
                        } else {
                          result.complete(value);
                        }
                      });
            });
  }

  private static CompletionStage<?> work(LockedCall call, Lease lease) {
    try {
      Object stage = call.proceed(lease, call.caller());
      return stage instanceof CompletionStage<?> work
          ? work
          : CompletableFuture.failedFuture(
              new IllegalStateException("A locked method returned no stage, but " + stage));
    } catch (Throwable e) { // whatever it is, the lock must be given back and the caller told
      return CompletableFuture.failedFuture(e);
    }
  }
}
