package io.leasehold.engine;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Waits, on the caller's thread, for answers of a node that may or may not block, and that may
 * break its contract: whatever it does becomes an answer.
 */
final class BlockingCalls {
  private BlockingCalls() {}

  /** Releases, whether or not the thread is interrupted; the flag is kept. */
  static ReleaseReply release(EngineLock lock, ReleaseRequest request) {
    return awaitUninterruptibly(
        () -> lock.facet().direct.release(request), lock.engine(), failed -> (ReleaseReply) failed);
  }

  /** Waits until the answer is there, or the node has been silent for too long. */
  static <R> R await(CompletableFuture<R> future, Engine engine, Function<Failed, R> failing)
      throws InterruptedException {
    return await(future, engine, engine.patienceNanos(), failing);
  }

  private static <R> R await(
      CompletableFuture<R> future, Engine engine, long nanos, Function<Failed, R> failing)
      throws InterruptedException {
    try {
      R reply = engine.patience.await(future, nanos);
      return reply != null ? reply : failing.apply(Safely.silent());
    } catch (TimeoutException e) {
      return failing.apply(new Failed(FailureKind.TIMEOUT, "no answer within the command timeout"));
    } catch (ExecutionException e) {
      return failing.apply(Safely.failure(e.getCause() == null ? e : e.getCause()));
    } catch (CancellationException e) {
      return failing.apply(Safely.failure(e));
    }
  }

  /**
   * Sends and waits with the interrupt flag cleared: a node that blocks may look at it. However
   * often the thread is interrupted, it waits no longer.
   */
  static <R> R awaitUninterruptibly(
      Supplier<CompletionStage<R>> request, Engine engine, Function<Failed, R> failing) {
    return awaitUninterruptibly(request, engine, engine.patienceNanos(), failing);
  }

  /** The same for what may take longer than a command. */
  static <R> R awaitUninterruptibly(
      Supplier<CompletionStage<R>> request,
      Engine engine,
      long nanos,
      Function<Failed, R> failing) {
    boolean interrupted = Thread.interrupted();
    try {
      CompletableFuture<R> future = Safely.begin(request);
      long end = System.nanoTime() + nanos;
      long left = nanos;
      while (true) {
        try {
          return await(future, engine, left, failing);
        } catch (InterruptedException e) {
          interrupted = true;
          left = Math.max(0, end - System.nanoTime());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
