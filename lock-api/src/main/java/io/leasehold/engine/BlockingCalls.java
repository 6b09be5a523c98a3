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

/** Waits, on the caller's thread, for answers of a node that may or may not block. */
final class BlockingCalls {
  private BlockingCalls() {}

  /** Releases, whether or not the thread is interrupted; the flag is kept. */
  static ReleaseReply release(Engine engine, String fullName, String owner) {
    CompletionStage<ReleaseReply> stage =
        Safely.call(
            () -> engine.direct.release(new ReleaseRequest(fullName, owner)), failed -> failed);
    return awaitUninterruptibly(stage, engine, failed -> failed);
  }

  /** Waits until the answer is there, or the node has been silent for too long. */
  static <R> R await(CompletionStage<R> stage, Engine engine, Function<Failed, R> failing)
      throws InterruptedException {
    CompletableFuture<R> future = stage.toCompletableFuture();
    try {
      return future.get(engine.patienceNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return failing.apply(new Failed(FailureKind.TIMEOUT, "no answer within the command timeout"));
    } catch (ExecutionException e) {
      return failing.apply(Safely.failure(e.getCause() == null ? e : e.getCause()));
    }
  }

  static <R> R awaitUninterruptibly(
      CompletionStage<R> stage, Engine engine, Function<Failed, R> failing) {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return await(stage, engine, failing);
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
