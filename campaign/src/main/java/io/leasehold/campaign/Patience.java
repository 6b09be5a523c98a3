package io.leasehold.campaign;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waiting with a bound. */
final class Patience {
  private Patience() {}

  /** Whether it came true in time. */
  static boolean await(Duration bound, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + bound.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return true;
  }

  /**
   * Does something until it works.
   *
   * @throws IllegalStateException if it does not within the bound, with the last reason
   */
  static void retry(String what, Duration bound, Runnable attempt) throws InterruptedException {
    long end = System.nanoTime() + bound.toNanos();
    while (true) {
      try {
        attempt.run();
        return;
      } catch (RuntimeException e) {
        if (System.nanoTime() - end >= 0) {
          throw new IllegalStateException("could not " + what + " within " + bound, e);
        }
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }
}
