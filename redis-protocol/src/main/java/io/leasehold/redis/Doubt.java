package io.leasehold.redis;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What is known about servers may be wrong: somebody looks again, a little later, and once for all
 * doubts that are raised until then. Raising one does not block.
 */
final class Doubt {
  private static final long DELAY_NANOS = 100_000_000L;

  private final Wiring wiring;
  private final Runnable look;
  private final AtomicBoolean raised = new AtomicBoolean();

  /**
   * @param look may block, if the driver does
   */
  Doubt(Wiring wiring, Runnable look) {
    this.wiring = wiring;
    this.look = look;
  }

  void raise() {
    if (raised.compareAndSet(false, true)) {
      wiring.context().scheduler().schedule(this::later, DELAY_NANOS);
    }
  }

  private void later() {
    raised.set(false);
    try {
      wiring.background().execute(look);
    } catch (RejectedExecutionException e) {
      // the client is being closed
    }
  }
}
