package io.leasehold.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** How a driver waits for the end of what it closes. */
public final class Ending {

  private Ending() {}

  /**
   * Waits for a bounded time, in spite of interruption, because what is closed shall leave nothing
   * behind; and keeps the flag. Whether it ended well makes no difference any more.
   */
  public static void await(Future<?> end, Duration bound) {
    boolean interrupted = false;
    long deadline = System.nanoTime() + bound.toNanos();
    while (true) {
      try {
        end.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException | TimeoutException e) {
        break;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for several, for no longer than for one. */
  public static void await(Stream<? extends CompletableFuture<?>> ends, Duration bound) {
    await(CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new)), bound);
  }
}
