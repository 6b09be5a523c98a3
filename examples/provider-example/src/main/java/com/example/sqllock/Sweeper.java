package com.example.sqllock;

import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Scheduler;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Deletes old rows while the node is open, after each pause of one to two intervals. */
final class Sweeper {
  private final Database database;
  private final ProviderContext context;
  private final Executor threads;
  private final long intervalNanos;
  private Scheduler.Task next = () -> {}; // guarded by this
  private boolean stopped; // guarded by this

  Sweeper(Database database, ProviderContext context, Executor threads, Duration interval) {
    this.database = database;
    this.context = context;
    this.threads = threads;
    this.intervalNanos = interval.toNanos();
  }

  /** Waits for a time that is not the same for all clients. */
  synchronized void start() {
    if (!stopped) {
      long delay = intervalNanos + context.random().nextLong(intervalNanos);
      next = context.scheduler().schedule(this::hand, delay);
    }
  }

  /** The scheduler's thread is not for work that blocks. */
  private void hand() {
    try {
      threads.execute(this::sweep);
    } catch (RejectedExecutionException e) {
      start(); // busy now
    }
  }

  private void sweep() {
    try {
      database.sweep();
    } catch (SQLException e) {
      System.getLogger(Sweeper.class.getName())
          .log(System.Logger.Level.DEBUG, "old rows were not forgotten this time", e);
    } finally {
      start();
    }
  }

  synchronized void stop() {
    stopped = true;
    next.cancel();
  }
}
