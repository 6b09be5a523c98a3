package io.leasehold.engine;

/**
 * The terms on which a lock is leased.
 *
 * @param leaseMillis how long a lease lasts without renewal
 * @param waitNanos how long {@code acquire()} waits
 * @param renewal whether leases are renewed
 * @param maxHoldNanos the longest time for which renewal keeps a lease alive
 * @param fair whether waiting calls are served in the server's order
 */
record Terms(long leaseMillis, long waitNanos, boolean renewal, long maxHoldNanos, boolean fair) {
  static final long NO_MAX_HOLD = Long.MAX_VALUE;
}
