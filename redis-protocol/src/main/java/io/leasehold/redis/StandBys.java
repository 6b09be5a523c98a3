package io.leasehold.redis;

import io.leasehold.spi.FairLine;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Scheduler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The locks for which this client stands by: another has its turn, and if that client hangs, one of
 * those that wait must ask when the turn is over. A later turn moves its end. Thread-safe.
 */
final class StandBys {
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(FairLine.TURN_MILLIS);
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long JITTER_NANOS = TimeUnit.MILLISECONDS.toNanos(45);

  private final ProviderContext context;
  private final Consumer<String> ask;

  // Guarded by the monitor.
  private final Map<String, Scheduler.Task> pending = new HashMap<>();
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
    end(name);
    if (!closed) {
      // A little later than the server ends it, and not all who stand by at the same moment.
      long delay = TURN_NANOS + LEAST_NANOS + context.random().nextLong(JITTER_NANOS);
      pending.put(name, context.scheduler().schedule(() -> ask.accept(name), delay));
    }
  }

  /** The lock is not wanted any more. */
  synchronized void end(String name) {
    Scheduler.Task timer = pending.remove(name);
    if (timer != null) {
      timer.cancel();
    }
  }

  /** Ends all of them. */
  synchronized void close() {
    closed = true;
    List.copyOf(pending.keySet()).forEach(this::end);
  }
}
