package io.leasehold.tck.history;

import java.time.Duration;

/**
 * How late things may be, and what explains that something failed. No rule about safety depends on
 * it, but for what is said of {@code longestLease}.
 *
 * @param servedWithin how long a call may wait for a lock that is free; zero to leave out
 *     everything about lateness. It must be longer than the machine ever stalls.
 * @param settling for how long after its end a fault still explains a failure
 * @param longestLease the longest lease time in use: a lock may be held for so long after its
 *     holder was killed, and its former holder may believe for so long that it holds it after it
 *     was taken away by force
 * @param tolerated how many servers may be at fault at the same time with everything going on as
 *     usual: 0 for a single server, a minority for a quorum
 * @param quarantine for how long servers must grant nothing after all of them were restarted; zero
 *     when they have no guard. Such a fault has a kind that begins with {@code restart} or {@code
 *     lose}.
 */
public record HistoryBounds(
    Duration servedWithin,
    Duration settling,
    Duration longestLease,
    int tolerated,
    Duration quarantine) {

  /** Nothing about lateness: safety only, with leases of up to a minute. */
  public static final HistoryBounds NONE =
      new HistoryBounds(
          Duration.ZERO, Duration.ofMinutes(1), Duration.ofMinutes(1), 0, Duration.ZERO);

  /** Calls are to be served within a bound; faults explain failures for twice the longest lease. */
  public static HistoryBounds of(Duration servedWithin, Duration longestLease) {
    return new HistoryBounds(
        servedWithin, longestLease.multipliedBy(2), longestLease, 0, Duration.ZERO);
  }

  /** The same with another time for which a fault explains failures after its end. */
  public HistoryBounds withSettling(Duration value) {
    return new HistoryBounds(servedWithin, value, longestLease, tolerated, quarantine);
  }

  /** The same for a quorum that bears so many servers at fault. */
  public HistoryBounds withTolerated(int value) {
    return new HistoryBounds(servedWithin, settling, longestLease, value, quarantine);
  }

  /** The same for servers with a guard. */
  public HistoryBounds withQuarantine(Duration value) {
    return new HistoryBounds(servedWithin, settling, longestLease, tolerated, value);
  }
}
