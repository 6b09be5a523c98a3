package io.leasehold.tck.history;

import java.time.Duration;

/** Notices when this machine gives its threads no time. */
final class Stalls implements AutoCloseable {
  private static final Duration STEP = Duration.ofMillis(20);

  private final Thread thread = new Thread(this::watch, "stalls");
  private volatile long longestNanos;

  Stalls() {
    thread.setDaemon(true);
    thread.start();
  }

  private void watch() {
    long before = System.nanoTime();
    try {
      while (true) {
        Thread.sleep(STEP.toMillis());
        long now = System.nanoTime();
        longestNanos = Math.max(longestNanos, now - before - STEP.toNanos());
        before = now;
      }
    } catch (InterruptedException e) {
      return; // closed
    }
  }

  /** The longest time for which a thread that wanted to run did not. */
  Duration longest() {
    return Duration.ofNanos(longestNanos);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
