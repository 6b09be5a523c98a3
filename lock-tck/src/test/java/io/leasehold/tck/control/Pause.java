package io.leasehold.tck.control;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Widens the gap between the two steps of a flaw, so that it is hit every time. */
final class Pause {
  private Pause() {}

  static void millis(long span) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(span);
    for (long rest = end - System.nanoTime(); rest > 0; rest = end - System.nanoTime()) {
      LockSupport.parkNanos(rest);
    }
  }
}
