package io.leasehold.spi;

/**
 * For how long a grant, or an extension, can be relied upon: lease time − elapsed − drift. Elapsed
 * counts from the moment before the request was sent, because the server may have begun to count
 * then, and is the larger of the two clocks, because a suspended machine stops the monotonic one.
 * The engine measures by it, and a quorum over all of its rounds.
 *
 * @param sentNanos the monotonic clock before the request was sent
 * @param sentWallMillis the wall clock at the same moment
 * @param leaseMillis the lease time
 */
public record Validity(long sentNanos, long sentWallMillis, long leaseMillis) {

  /** The validity of what is about to be asked for. */
  public static Validity from(TimeSource time, long leaseMillis) {
    return new Validity(time.monotonicNanos(), time.wallMillis(), leaseMillis);
  }

  /** What remains, in nanoseconds; zero or less when it is over. */
  public long remainingNanos(TimeSource time) {
    long monotonic = time.monotonicNanos() - sentNanos;
    long wall = (time.wallMillis() - sentWallMillis) * 1_000_000L;
    return usableNanos() - Math.max(monotonic, wall);
  }

  /**
   * The same validity with its start moved back on the monotonic clock by what only the wall clock
   * has counted since: after a suspension, {@link #endNanos} would otherwise be too late.
   */
  public Validity afterSuspension(TimeSource time) {
    long monotonic = time.monotonicNanos() - sentNanos;
    long wall = (time.wallMillis() - sentWallMillis) * 1_000_000L;
    return wall <= monotonic
        ? this
        : new Validity(sentNanos - (wall - monotonic), sentWallMillis, leaseMillis);
  }

  /** The end on the monotonic clock alone: when to look again. */
  public long endNanos() {
    return sentNanos + usableNanos();
  }

  private long usableNanos() {
    return leaseMillis * 1_000_000L - driftNanos(leaseMillis);
  }

  /** How far the clocks of client and server may drift apart in a lease time: 1 % and 2 ms. */
  static long driftNanos(long leaseMillis) {
    return leaseMillis * 10_000L + 2_000_000L;
  }
}
