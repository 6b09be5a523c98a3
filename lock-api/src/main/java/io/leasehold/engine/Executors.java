package io.leasehold.engine;

import java.lang.reflect.Method;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The executors of a client: a virtual thread for each task where the JDK has them, otherwise pools
 * of daemon threads that shrink to none when idle.
 */
final class Executors {
  private static final int BLOCKING_THREADS = 16;
  private static final int BLOCKING_BACKLOG = 10_000;
  private static final int CALLBACK_THREADS = 256;

  private Executors() {}

  /** For requests to one node that blocks. A pool is bounded: what does not fit is rejected. */
  static ExecutorService blocking(String name) {
    ExecutorService virtual = virtualThreads(name);
    return virtual != null ? virtual : growing(name, BLOCKING_THREADS, BLOCKING_BACKLOG);
  }

  /** For code of the application's, which may block. */
  static ExecutorService callbacks(String name) {
    ExecutorService virtual = virtualThreads(name);
    return virtual != null ? virtual : growing(name, CALLBACK_THREADS, Integer.MAX_VALUE);
  }

  /** Takes an idle thread, or else a new one; only when there are too many of them, a queue. */
  private static ExecutorService growing(String name, int most, int backlog) {
    LinkedTransferQueue<Runnable> queue =
        new LinkedTransferQueue<>() {
          private static final long serialVersionUID = 1L;

          @Override
          public boolean offer(Runnable task) {
            return tryTransfer(task); // "full" makes the pool grow
          }
        };
    return new ThreadPoolExecutor(
        0,
        most,
        1,
        TimeUnit.SECONDS,
        queue,
        daemons(name),
        (task, pool) -> {
          if (pool.isShutdown() || queue.size() >= backlog) {
            throw new RejectedExecutionException("closed, or too many tasks are waiting");
          }
          queue.put(task);
        });
  }

  /** Daemon threads with a name: a client that was never closed must not keep a JVM alive. */
  static ThreadFactory daemons(String name) {
    AtomicLong count = new AtomicLong();
    return task -> {
      Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** By reflection, because this is compiled for JDK 17. */
  private static @Nullable ExecutorService virtualThreads(String name) {
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Class<?> builderType = Class.forName("java.lang.Thread$Builder$OfVirtual");
      Object named =
          builderType.getMethod("name", String.class, long.class).invoke(builder, name + "-", 1L);
      Object factory = builderType.getMethod("factory").invoke(named);
      Method perTask =
          java.util.concurrent.Executors.class.getMethod(
              "newThreadPerTaskExecutor", ThreadFactory.class);
      return (ExecutorService) perTask.invoke(null, factory);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }
}
