package io.leasehold.testkit;

import java.util.concurrent.locks.LockSupport;

/**
 * Waits for a point in time more exactly than a sleep does. A sleeping thread wakes late, here by
 * about a tenth of a millisecond, of which a delay of one millisecond must not be made; so the
 * alarm learns how late it usually is, sleeps for less by as much, and spins for the little that
 * may be left. Not thread-safe: one per waiting thread.
 */
final class Alarm {

  /**
   * The longest time to spin for. A machine that wakes threads later than this is too busy to be
   * spun on.
   */
  private static final long MOST_NANOS = 200_000;

  /** How many wake-ups a single one is outweighed by. */
  private static final long INERTIA = 8;

  private long lateNanos;

  /**
   * Returns at this {@link System#nanoTime()}.
   *
   * @throws InterruptedException if the thread is interrupted, at once
   */
  void await(long time) throws InterruptedException {
    for (long now = System.nanoTime(); now - time < 0; now = System.nanoTime()) {
      long sleep = time - now - lateNanos;
      if (sleep > 0) {
        LockSupport.parkNanos(sleep);
        learn(System.nanoTime() - now - sleep);
      } else {
        Thread.onSpinWait();
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  private void learn(long late) {
    // Early is who was woken for another reason: nothing to learn from.
    if (late >= 0) {
      lateNanos += (Math.min(late, MOST_NANOS) - lateNanos) / INERTIA;
    }
  }
}
