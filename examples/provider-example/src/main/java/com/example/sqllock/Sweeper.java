package com.example.sqllock;

import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Scheduler;
import java.sql.SQLException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Forgets old rows once in a minute or two, while the node is open. */
final class Sweeper {
  private static final long MINUTE_NANOS = 60_000_000_000L;

  private final Database database;
  private final ProviderContext context;
  private final Executor threads;
  private Scheduler.Task next = () -> {}; // guarded by this
  private boolean stopped; // guarded by this

  Sweeper(Database database, ProviderContext context, Executor threads) {
    this.database = database;
    this.context = context;
    this.threads = threads;
  }

  /** Waits for a time that is not the same for all clients. */
  synchronized void start() {
    if (!stopped) {
      long delay = MINUTE_NANOS + context.random().nextLong(MINUTE_NANOS);
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
