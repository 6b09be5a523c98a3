package io.leasehold.tck.bench;

import io.leasehold.spi.TimeSource;
import java.time.Duration;

/** The clocks of a machine whose wall clock is set wrong, or is set anew, and that may sleep. */
public final class ShiftedClock implements TimeSource {
  private volatile long wallShiftMillis;
  private volatile long monotonicShiftNanos;

  /** Clocks of which the wall clock is ahead, or behind when negative. */
  public ShiftedClock(Duration wallShift) {
    this.wallShiftMillis = wallShift.toMillis();
  }

  /** Sets the wall clock ahead, or back when negative, beside the shift it has. */
  public synchronized void moveWall(Duration by) {
    wallShiftMillis += by.toMillis();
  }

  /** Lets the monotonic clock jump ahead, as after a pause of the process. */
  public synchronized void moveMonotonic(Duration by) {
    monotonicShiftNanos += by.toNanos();
  }

  @Override
  public long monotonicNanos() {
    return System.nanoTime() + monotonicShiftNanos;
  }

  @Override
  public long wallMillis() {
    return System.currentTimeMillis() + wallShiftMillis;
  }
}
