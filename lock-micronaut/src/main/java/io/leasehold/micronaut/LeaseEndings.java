package io.leasehold.micronaut;

import io.leasehold.Lease;
import io.micronaut.context.BeanProvider;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.TaskScheduler;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;

/** Gives leases back, where and when it may be done. */
@Singleton
class LeaseEndings {
  private final BeanProvider<ExecutorService> blocking;
  private final BeanProvider<TaskScheduler> scheduler;

  LeaseEndings(
      @Named(TaskExecutors.BLOCKING) BeanProvider<ExecutorService> blocking,
      @Named(TaskExecutors.SCHEDULED) BeanProvider<TaskScheduler> scheduler) {
    this.blocking = blocking;
    this.scheduler = scheduler;
  }

  /**
   * Gives it back: now, which may wait for the server, or later if it has to be held for longer,
   * which nobody waits for.
   */
  void end(Lease lease, Duration keep) {
    if (keep.isNegative() || keep.isZero()) {
      lease.close();
      return;
    }
    try {
      Runnable release = () -> blocking.get().execute(lease::close);
      ScheduledFuture<?> unused = scheduler.get().schedule(keep, release);
    } catch (RejectedExecutionException e) {
      lease.close(); // the application is shutting down
    }
  }

  /**
   * As {@link #end}, but never blocks the calling thread. Completes when it is done; never fails.
   */
  CompletionStage<Void> endAsync(Lease lease, Duration keep) {
    try {
      return CompletableFuture.runAsync(() -> end(lease, keep), blocking.get())
          .exceptionally(error -> null);
    } catch (RejectedExecutionException e) {
      lease.close(); // the application is shutting down: nothing is served on this thread any more
      return CompletableFuture.completedFuture(null);
    }
  }
}
