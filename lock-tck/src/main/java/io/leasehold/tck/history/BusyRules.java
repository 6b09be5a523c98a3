package io.leasehold.tck.history;

import static io.leasehold.tck.history.Acquisition.NEVER;

/**
 * Nobody is told that somebody else holds a lock when nobody can: nobody else has been there for as
 * long as anybody can have left anything behind. Unknown is not busy. A set of locks is not judged:
 * it is one of them that is busy, and nobody tells which.
 */
final class BusyRules {
  /** What a call may leave behind for others beyond a lease: a turn in a line, a writer's mark. */
  private static final long QUIET_NANOS = 10_000_000_000L;

  private BusyRules() {}

  static void check(LockHistory lock, Weather weather, HistoryBounds bounds, Findings findings) {
    long longestLease = ClientLog.nanos(bounds.longestLease());
    long quiet = Claims.plus(longestLease, QUIET_NANOS);
    Occupancy occupancy = new Occupancy(longestLease);
    long present = Long.MIN_VALUE;
    for (int i = 0; i < lock.calls.size(); i++) {
      Acquisition call = lock.calls.get(i);
      boolean aloneUntil =
          i + 1 == lock.calls.size() || lock.calls.get(i + 1).called > call.refused;
      if (call.refusal == Refusal.BUSY
          && !call.isSet()
          && call.called > present
          && aloneUntil
          && !weather.clocksWereSet(call.refused)) {
        findings.add(
            Rule.FALSE_BUSY,
            lock.name,
            call.refused,
            call + " was told that somebody else holds it, and nobody can have");
      }
      present = Math.max(present, Claims.plus(presentUntil(call, occupancy), quiet));
    }
  }

  private static long presentUntil(Acquisition call, Occupancy occupancy) {
    if (call.isGranted()) {
      return occupancy.end(call);
    }
    return call.refused == NEVER ? Long.MAX_VALUE : call.refused;
  }
}
