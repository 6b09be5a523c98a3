package io.leasehold.spi;

/** Runs short tasks later. Injectable, so that tests can run on a virtual clock. */
public interface Scheduler {

  /**
   * Runs the task once, not before the delay has passed. A delay of zero or less means as soon as
   * possible, never inside this call. After the scheduler has ended the task is dropped silently.
   */
  Task schedule(Runnable task, long delayNanos);

  /** A task that was scheduled. */
  interface Task {

    /** Drops the task if it has not started. Idempotent, never blocks. */
    void cancel();
  }
}
