package com.example.sqllock;

import io.leasehold.spi.TimeSource;

/** The end of a request on this machine's monotonic clock. */
record Deadline(TimeSource time, long endNanos) {

  static Deadline in(TimeSource time, long millis) {
    return new Deadline(time, time.monotonicNanos() + millis * 1_000_000);
  }

  long remainingNanos() {
    return endNanos - time.monotonicNanos();
  }
}
