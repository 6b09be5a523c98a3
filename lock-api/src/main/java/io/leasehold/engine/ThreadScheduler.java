package io.leasehold.engine;

import io.leasehold.spi.Scheduler;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A scheduler with one daemon thread, which is started by the first task. */
final class ThreadScheduler implements Scheduler, AutoCloseable {
  private static final System.Logger LOG = System.getLogger("io.leasehold");
  private static final Task NOTHING = () -> {};

  private final ScheduledThreadPoolExecutor executor;

  ThreadScheduler(String name) {
    executor = new ScheduledThreadPoolExecutor(1, Executors.daemons(name));
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** One that nobody needs to close: its thread goes when there was nothing to do for a second. */
  static ThreadScheduler endingWhenIdle(String name) {
    ThreadScheduler scheduler = new ThreadScheduler(name);
    scheduler.executor.setKeepAliveTime(1, TimeUnit.SECONDS);
    scheduler.executor.allowCoreThreadTimeOut(true);
    return scheduler;
  }

  @Override
  public Task schedule(Runnable task, long delayNanos) {
    try {
      ScheduledFuture<?> future =
          executor.schedule(() -> run(task), Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    } catch (RejectedExecutionException e) {
      return NOTHING; // closed
    }
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      // One task's bug must not end every lease: the thread goes on, and the bug is told.
      LOG.log(System.Logger.Level.ERROR, "LH-212 a timer task failed; please report this", e);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
