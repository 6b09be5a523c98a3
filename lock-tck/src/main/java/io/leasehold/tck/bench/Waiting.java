package io.leasehold.tck.bench;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting with a bound. */
public final class Waiting {
  private Waiting() {}

  /** Waits until something is true, and fails the check when it is not within the bound. */
  public static void until(String what, Duration bound, Callable<Boolean> condition)
      throws InterruptedException {
    long end = System.nanoTime() + bound.toNanos();
    while (!ask(condition)) {
      if (System.nanoTime() - end >= 0) {
        throw Expect.violation("not within " + bound.toMillis() + " ms: " + what);
      }
      Thread.sleep(5);
    }
  }

  /** Something must stay true for a while; fails the check as soon as it is not. */
  public static void always(String what, Duration span, Callable<Boolean> condition)
      throws InterruptedException {
    long end = System.nanoTime() + span.toNanos();
    do {
      Expect.that(ask(condition), "no longer true: " + what);
      Thread.sleep(5);
    } while (System.nanoTime() - end < 0);
  }

  /** Lets time pass. */
  public static void pause(Duration span) throws InterruptedException {
    Thread.sleep(span.toMillis());
  }

  /** The result of forked work; what it threw is thrown here. Fails the check beyond the bound. */
  public static <T> T result(String what, Duration bound, CompletableFuture<T> work)
      throws InterruptedException {
    try {
      return work.get(bound.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw Expect.violation("not within " + bound.toMillis() + " ms: " + what);
    } catch (ExecutionException e) {
      throw rethrown(e.getCause() == null ? e : e.getCause());
    }
  }

  private static boolean ask(Callable<Boolean> condition) throws InterruptedException {
    try {
      return condition.call();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw rethrown(e);
    }
  }

  private static RuntimeException rethrown(Throwable cause) {
    if (cause instanceof RuntimeException unchecked) {
      return unchecked;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(cause);
  }
}
