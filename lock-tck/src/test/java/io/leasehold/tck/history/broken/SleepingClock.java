package io.leasehold.tck.history.broken;

import io.leasehold.spi.TimeSource;

/** The clocks of a machine that is put to sleep: its monotonic clock stands still meanwhile. */
final class SleepingClock implements TimeSource {
  private long slept;
  private long asleepSince;
  private boolean asleep;

  synchronized void sleep() {
    asleep = true;
    asleepSince = System.nanoTime();
  }

  synchronized void wake() {
    asleep = false;
    slept += System.nanoTime() - asleepSince;
  }

  @Override
  public synchronized long monotonicNanos() {
    return (asleep ? asleepSince : System.nanoTime()) - slept;
  }

  @Override
  public long wallMillis() {
    return System.currentTimeMillis();
  }
}
