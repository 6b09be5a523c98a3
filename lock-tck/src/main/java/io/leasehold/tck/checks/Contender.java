package io.leasehold.tck.checks;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockUnavailableException;
import io.leasehold.tck.bench.Expect;
import java.time.Duration;
import java.util.Optional;

/** One of many that want a lock: it waits a little, gives up, and comes again. */
final class Contender {
  private static final Duration A_LITTLE = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(14);

  private Contender() {}

  /** Takes the lock. Needs no wake-ups, whose loss is another check's business. */
  static Lease take(DistributedLock lock) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() - end < 0) {
      try {
        Optional<Lease> lease = lock.tryAcquire(A_LITTLE);
        if (lease.isPresent()) {
          return lease.get();
        }
      } catch (LockUnavailableException e) {
        // On a machine that is very busy a request may come too late; it comes again.
      }
    }
    throw Expect.violation("a contender did not get the lock in " + PATIENCE.toSeconds() + " s");
  }
}
