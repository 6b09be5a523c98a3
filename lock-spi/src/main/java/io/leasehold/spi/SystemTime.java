package io.leasehold.spi;

/** The clocks of the JVM. */
enum SystemTime implements TimeSource {
  INSTANCE;

  @Override
  public long monotonicNanos() {
    return System.nanoTime();
  }

  @Override
  public long wallMillis() {
    return System.currentTimeMillis();
  }
}
