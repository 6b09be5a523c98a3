package io.leasehold.tck.checks;

import io.leasehold.spi.FairLine;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Judges the order of a fair line. A turn passes when it is not taken in its time, and rightly so:
 * what was seen on a machine that was too busy for that proves nothing, and is tried again.
 */
final class InOneTurn {
  private static final Duration PATIENCE = Duration.ofSeconds(12);

  private InOneTurn() {}

  /** What is done, and expected, with a lock. */
  @FunctionalInterface
  interface Scenario {

    /**
     * Runs it once.
     *
     * @param name of a lock that nobody has used
     * @param starts to be called before the first turn begins
     */
    void run(String name, Runnable starts) throws InterruptedException;
  }

  /** Runs a scenario until it was quick enough; its violations are the check's. */
  static void judge(Bench bench, Scenario scenario) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    boolean judged = false;
    while (!judged) {
      AtomicLong start = new AtomicLong(System.nanoTime());
      try {
        scenario.run(bench.name(), () -> start.set(System.nanoTime()));
        judged = true;
      } catch (Expect.Violation e) {
        long now = System.nanoTime();
        if (now - start.get() < FairLine.TURN_MILLIS * 1_000_000 || now - end >= 0) {
          throw e;
        }
      }
    }
  }
}
