package io.leasehold.engine;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Waits, on the caller's thread, for answers of a node that may or may not block. */
final class BlockingCalls {
  private BlockingCalls() {}

  /** Releases, whether or not the thread is interrupted; the flag is kept. */
  static ReleaseReply release(Engine engine, String fullName, String owner) {
    return awaitUninterruptibly(
        () ->
            Safely.call(
                () -> engine.direct.release(new ReleaseRequest(fullName, owner)), failed -> failed),
        engine,
        failed -> failed);
  }

  /** Waits until the answer is there, or the node has been silent for too long. */
  static <R> R await(CompletionStage<R> stage, Engine engine, Function<Failed, R> failing)
      throws InterruptedException {
    return await(stage, engine.patienceNanos(), failing);
  }

  private static <R> R await(CompletionStage<R> stage, long nanos, Function<Failed, R> failing)
      throws InterruptedException {
    CompletableFuture<R> future = stage.toCompletableFuture();
    try {
      return future.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return failing.apply(new Failed(FailureKind.TIMEOUT, "no answer within the command timeout"));
    } catch (ExecutionException e) {
      return failing.apply(Safely.failure(e.getCause() == null ? e : e.getCause()));
    }
  }

  /**
   * Sends and waits with the interrupt flag cleared: a node that blocks may look at it. However
   * often the thread is interrupted, it waits no longer.
   */
  static <R> R awaitUninterruptibly(
      Supplier<CompletionStage<R>> request, Engine engine, Function<Failed, R> failing) {
    boolean interrupted = Thread.interrupted();
    try {
      CompletionStage<R> stage = request.get();
      long end = System.nanoTime() + engine.patienceNanos();
      while (true) {
        try {
          return await(stage, Math.max(0, end - System.nanoTime()), failing);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
