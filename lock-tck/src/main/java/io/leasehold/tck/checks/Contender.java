package io.leasehold.tck.checks;

import io.leasehold.Leasable;
import io.leasehold.Lease;
import io.leasehold.LockUnavailableException;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.Optional;

/** One of many that want a lock: it asks, and comes again a little later. */
final class Contender {
  private static final Duration A_LITTLE = Duration.ofMillis(3);
  private static final Duration PATIENCE = Duration.ofSeconds(14);

  private Contender() {}

  /** Takes the lock. Needs no wake-ups, whose loss is another check's business. */
  static Lease take(Leasable lock) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() - end < 0) {
      try {
        Optional<Lease> lease = lock.tryAcquire(); // no waiting: it would need wake-ups
        if (lease.isPresent()) {
          return lease.get();
        }
      } catch (LockUnavailableException e) {
        // On a machine that is very busy a request may come too late; it comes again.
      }
      Waiting.pause(A_LITTLE);
    }
    throw Expect.violation("a contender did not get the lock in " + PATIENCE.toSeconds() + " s");
  }
}
