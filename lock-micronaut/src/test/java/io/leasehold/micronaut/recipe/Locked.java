package io.leasehold.micronaut.recipe;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** Work that holds a lock. */
final class Locked {
  private Locked() {}

  /** Waits for the lock; LockTimeoutException when somebody else holds it for too long. */
  static <T> T call(DistributedLock lock, Duration wait, Function<Lease, T> work)
      throws InterruptedException {
    try (Lease lease = lock.acquire(wait)) {
      T result = work.apply(lease);
      lease.ensureHeld(); // LeaseLostException: the work is done, but perhaps not alone
      return result;
    }
  }

  /** Skips the work when somebody else holds the lock. */
  static <T> Optional<T> tryCall(DistributedLock lock, Function<Lease, T> work) {
    Optional<Lease> acquired = lock.tryAcquire();
    if (acquired.isEmpty()) {
      return Optional.empty();
    }
    try (Lease lease = acquired.get()) {
      return Optional.of(work.apply(lease));
    }
  }

  /** Holds the lock until the stage is complete; no thread waits. */
  static <T> CompletionStage<T> callAsync(
      DistributedLock lock, Duration wait, Function<Lease, CompletionStage<T>> work) {
    return lock.acquireAsync(wait)
        .thenCompose(
            lease ->
                started(work, lease)
                    // A release may wait for the server: not on the thread of the work.
                    .whenCompleteAsync((result, error) -> lease.close()))
        // Callers get a copy. If they cancelled the stage before the lock was granted, the function
        // above would never run, and the lease would be renewed for ever.
        .copy();
  }

  private static <T> CompletionStage<T> started(
      Function<Lease, CompletionStage<T>> work, Lease lease) {
    try {
      return Objects.requireNonNull(work.apply(lease), "the work returned no stage");
    } catch (RuntimeException | Error e) { // or the lease would be renewed for ever
      return CompletableFuture.failedFuture(e);
    }
  }

  /** A job that every instance schedules and one of them runs. */
  static void runOnce(
      LockClient locks,
      String name,
      Duration atLeast,
      Duration atMost,
      ScheduledExecutorService scheduler,
      Consumer<Lease> job) {
    LockOptions options = LockOptions.defaults().withRenewal().withMaxHold(atMost);
    Optional<Lease> acquired = locks.lock(name, options).tryAcquire();
    if (acquired.isEmpty()) {
      return; // it runs elsewhere
    }
    Lease lease = acquired.get();
    long start = System.nanoTime();
    try {
      job.accept(lease);
    } finally {
      long rest = atLeast.toNanos() - (System.nanoTime() - start);
      try {
        if (rest > 0) {
          Future<?> unused = scheduler.schedule(lease::close, rest, TimeUnit.NANOSECONDS);
        } else {
          lease.close();
        }
      } catch (RejectedExecutionException e) { // the scheduler was shut down
        lease.close();
      }
    }
  }
}
