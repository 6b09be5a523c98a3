package io.leasehold.engine;

import io.leasehold.LossReason;
import io.leasehold.spi.Printable;
import io.leasehold.spi.Scheduler;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Warns of leases that were lost, so that nobody learns of a loss only by what it did. Each loss is
 * one line, up to {@value #LINES} within a second: a client with a hundred thousand leases whose
 * server is gone must not fill the log, so that the rest of the second is one line more.
 */
final class LossLog {
  static final int LINES = 10;

  private static final System.Logger LOG = System.getLogger("io.leasehold");
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Executor writers;
  private final Scheduler scheduler;
  private final String node;
  private int lines;
  private int unwritten;

  /**
   * @param writers where losses are told
   * @param node how the node that serves the locks is called
   */
  LossLog(Executor writers, Scheduler scheduler, String node) {
    this.writers = writers;
    this.scheduler = scheduler;
    this.node = node;
  }

  /**
   * A lease was lost. Never blocks: a slow log must hold up no renewal. Whoever closes a client
   * knows which leases that ends, and is told nothing.
   */
  void lost(String lockName, LossReason reason) {
    if (reason != LossReason.CLIENT_CLOSED) {
      LossHandlers.call(writers, List.of(why -> write(lockName, why)), reason);
    }
  }

  private void write(String lockName, LossReason reason) {
    if (mayWrite()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "LH-219 the lease of the lock ''{0}'' on {1} was lost: {2} ({3})",
          Printable.of(lockName),
          node,
          reason.description(),
          reason);
    }
  }

  private synchronized boolean mayWrite() {
    if (lines == 0) {
      scheduler.schedule(this::secondIsOver, SECOND);
    }
    if (lines < LINES) {
      lines++;
      return true;
    }
    unwritten++;
    return false;
  }

  private void secondIsOver() {
    int further;
    synchronized (this) {
      further = unwritten;
      lines = 0;
      unwritten = 0;
    }
    if (further > 0) {
      LOG.log(
          System.Logger.Level.WARNING,
          "LH-219 {0} further leases on {1} were lost within a second",
          further,
          node);
    }
  }
}
