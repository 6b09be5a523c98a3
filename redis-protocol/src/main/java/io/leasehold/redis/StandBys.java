package io.leasehold.redis;

import io.leasehold.spi.FairLine;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Scheduler;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The locks for which this client stands by: another has its turn, and if that one hangs, somebody
 * must ask when the turn is over. One timer for each lock, however often it is told: a later turn
 * moves its end.
 */
final class StandBys {
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(FairLine.TURN_MILLIS);
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long JITTER_NANOS = TimeUnit.MILLISECONDS.toNanos(45);

  private final ProviderContext context;
  private final Consumer<String> ask;

  // Guarded by the monitor.
  private final Map<String, StandBy> pending = new HashMap<>();
  private boolean closed;

  /**
   * @param ask called when a turn is over, on the context's scheduler; never blocks
   */
  StandBys(ProviderContext context, Consumer<String> ask) {
    this.context = context;
    this.ask = ask;
  }

  /** A turn has begun just now. */
  synchronized void begin(String name) {
    if (closed) {
      return;
    }
    // A little later than the server ends it, and those who stand by not at the same moment.
    long delay = TURN_NANOS + LEAST_NANOS + context.random().nextLong(JITTER_NANOS);
    StandBy standBy = pending.get(name);
    if (standBy == null) {
      standBy = new StandBy();
      pending.put(name, standBy);
      schedule(name, standBy, delay);
    }
    standBy.endNanos = context.time().monotonicNanos() + delay;
  }

  /** Nobody here wants the lock any more. */
  synchronized void end(String name) {
    StandBy standBy = pending.remove(name);
    if (standBy != null) {
      standBy.cancel();
    }
  }

  /** Ends all of them. */
  synchronized void close() {
    closed = true;
    pending.values().forEach(StandBy::cancel);
    pending.clear();
  }

  private void schedule(String name, StandBy standBy, long delayNanos) {
    standBy.timer = context.scheduler().schedule(() -> due(name, standBy), delayNanos);
  }

  private void due(String name, StandBy standBy) {
    synchronized (this) {
      if (pending.get(name) != standBy) {
        return;
      }
      long left = standBy.endNanos - context.time().monotonicNanos();
      if (left > 0) {
        schedule(name, standBy, left);
        return;
      }
      pending.remove(name);
    }
    ask.accept(name);
  }

  private static final class StandBy {
    private long endNanos;
    private Scheduler.@Nullable Task timer;

    private void cancel() {
      if (timer != null) {
        timer.cancel();
      }
    }
  }
}
