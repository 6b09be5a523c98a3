package io.leasehold.engine;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gives back what nobody waits for any more: grants whose reply was lost, whose caller gave up,
 * whose lease has ended. A request whose reply was lost may have succeeded, so giving up always
 * ends with a compare-and-delete here, on a deadline of its own and never on the caller's. It is
 * repeated until the server confirms it or the lock must have ended by itself.
 */
final class Background {
  private static final long FIRST_DELAY = 20_000_000L;
  private static final long LONGEST_DELAY = 500_000_000L;

  private final Scheduler scheduler;
  private final TimeSource time;
  private final long patienceNanos;
  private final AtomicInteger pending = new AtomicInteger();

  Background(Scheduler scheduler, TimeSource time, long patienceNanos) {
    this.patienceNanos = patienceNanos;
    this.scheduler = scheduler;
    this.time = time;
  }

  /** Releases what this owner may hold of a lock, for as long as it may live. Never blocks. */
  void release(EngineLock lock, String owner) {
    release(lock, owner, () -> {});
  }

  /**
   * As {@link #release(EngineLock, String)}.
   *
   * @param then runs once, when the release has been confirmed or is not repeated any more
   */
  void release(EngineLock lock, String owner, Runnable then) {
    pending.incrementAndGet();
    long end = time.monotonicNanos() + lock.terms().leaseMillis() * 1_000_000L;
    ReleaseRequest request = new ReleaseRequest(lock.fullName(), owner);
    attempt(lock.facet().node, request, end, FIRST_DELAY, then);
  }

  /** How many releases have not been confirmed yet. */
  int pending() {
    return pending.get();
  }

  private void attempt(
      LockNode node, ReleaseRequest request, long endNanos, long delay, Runnable then) {
    Safely.call(
        () -> node.release(request),
        failed -> (ReleaseReply) failed,
        scheduler,
        patienceNanos,
        reply -> {
          boolean over = time.monotonicNanos() - endNanos >= 0;
          if (reply instanceof Failed failed && failed.kind() != FailureKind.CLOSED && !over) {
            long next = Math.min(delay * 2, LONGEST_DELAY);
            scheduler.schedule(() -> attempt(node, request, endNanos, next, then), delay);
          } else {
            then.run(); // before the count goes down: it may release something else
            pending.decrementAndGet();
          }
        });
  }
}
