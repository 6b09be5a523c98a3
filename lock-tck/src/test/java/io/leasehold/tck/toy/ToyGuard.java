package io.leasehold.tck.toy;

/**
 * The toy's guard: a mark in the data that says which life of the server has granted. A life that
 * finds another's mark, or none, may have lost leases, and begins with a quarantine.
 */
public final class ToyGuard {
  /** The quarantine of a client without a guard. */
  public static final long OFF = 0;

  private static final int NOBODY = 0;

  private int life = 1;
  private int marked = NOBODY;
  private long longestMillis;
  private long untilMicros;

  synchronized void beginLife() {
    life++;
  }

  synchronized void forget() {
    marked = NOBODY;
    longestMillis = 0;
    untilMicros = 0;
  }

  /** How long nothing may be granted, for a client that asks for a quarantine. */
  synchronized long remainingMillis(long quarantineMillis, long nowMicros) {
    if (quarantineMillis == OFF) {
      return 0;
    }
    longestMillis = Math.max(longestMillis, quarantineMillis);
    if (marked != life) {
      marked = life;
      untilMicros = nowMicros + longestMillis * 1_000;
    }
    return Math.max(0, (untilMicros - nowMicros + 999) / 1_000);
  }

  /** The longest quarantine that any client asked for, as far as it is remembered. */
  synchronized long longestMillis() {
    return longestMillis;
  }

  /** Ends the quarantine of this life. */
  public synchronized void vouch(long quarantineMillis) {
    longestMillis = Math.max(longestMillis, quarantineMillis);
    marked = life;
    untilMicros = 0;
  }

  /** Whether this life is known to be in its quarantine. */
  public synchronized boolean isInQuarantine(long nowMicros) {
    return marked == life && untilMicros > nowMicros;
  }

  /** Whether there is no mark. */
  public synchronized boolean isForgotten() {
    return marked == NOBODY;
  }

  /** Whether the mark is an earlier life's. */
  public synchronized boolean isFromBefore() {
    return marked != NOBODY && marked != life;
  }
}
