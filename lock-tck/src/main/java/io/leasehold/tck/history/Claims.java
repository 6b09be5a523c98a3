package io.leasehold.tck.history;

import static io.leasehold.tck.history.Acquisition.NEVER;

import io.leasehold.LossReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * For how long a lease was claimed: from the return of acquire to the earlier of the call of
 * release and the end of its validity. Leases are renewed in the background, so nobody writes down
 * when validity ends. A claim is what is <em>certain</em>, whatever came between two instructions:
 *
 * <ul>
 *   <li>It begins when acquire <em>had</em> returned, by a clock that was read afterwards.
 *   <li>It lasts to the last moment before which the lease was asked and said that it is held. A
 *       lease that has ended never comes back, so it was held all the time until then, by its own
 *       word. Release and close of a lease ask too.
 *   <li>Never past the call of release, nor of the client's close.
 *   <li>A lease that was never asked again, because its process was killed or stopped, has told at
 *       its grant how long it is certainly valid, if nothing else happens. It is taken at its word
 *       when nothing else happened: it was neither released nor taken away, and either no end was
 *       seen at all or it ended by its time. A client whose clocks were set is not taken at its
 *       word.
 * </ul>
 *
 * <p>So a process that is stopped past its lease does not count as holding: it says itself that it
 * does not, or says nothing. And a provider that says for too long that a lease is held does not
 * escape: every such answer is a claim.
 */
final class Claims {

  /** A piece of a claim. */
  record Claim(long from, long to, Acquisition lease) {}

  private Claims() {}

  /** Until when a lease that was granted was certainly held; its grant at the least. */
  static long end(Acquisition lease) {
    long end = Math.max(lease.granted, lease.held);
    if (lease.release != NEVER && (lease.heldAtRelease || lease.ending == Ending.RELEASED)) {
      end = Math.max(end, lease.release);
    }
    if (isTakenAtItsWord(lease)) {
      end = Math.max(end, lease.validUntil - slack(lease.validFor));
    }
    if (lease.release != NEVER) {
      end = Math.min(end, lease.release);
    }
    if (lease.client.close != NEVER) {
      end = Math.min(end, lease.client.close);
    }
    return Math.max(end, lease.granted);
  }

  private static boolean isTakenAtItsWord(Acquisition lease) {
    if (lease.validUntil == NEVER || !clocksAreTrusted(lease)) {
      return false;
    }
    if (lease.lost != NEVER) {
      return endedByTime(lease);
    }
    return lease.ended == NEVER && !lease.overAtRelease && lease.ending != Ending.LOST;
  }

  /** Whether a lease that was lost has only come to the end of its time. */
  static boolean endedByTime(Acquisition lease) {
    return lease.reason == LossReason.EXPIRED
        || lease.reason == LossReason.RENEWAL_FAILED
        || lease.reason == LossReason.MAX_HOLD;
  }

  /** Whether nothing was done to the clocks of the holder, as far as is known. */
  static boolean clocksAreTrusted(Acquisition lease) {
    for (History.Fault fault : lease.client.faults) {
      if (!fault.stops()
          && fault.toNanos() >= lease.called
          && fault.fromNanos() <= lease.validUntil) {
        return false;
      }
    }
    return true;
  }

  /** What the two clocks of a machine may differ in: a wall clock has whole milliseconds. */
  static long slack(long validNanos) {
    return 5_000_000 + validNanos / 100;
  }

  /**
   * The claims of a lock in the order in which they begin. A lease that may have been taken away by
   * force may go on to believe, until its validity is over, that it is held: that part is left out.
   * Not so of one with a larger token than another that was asked for after force had been used: it
   * was granted later still.
   */
  static List<Claim> of(List<Acquisition> calls, List<History.Force> forces, long longestLease) {
    long[] smallestAfter = smallestTokensAfter(calls, forces);
    List<Claim> claims = new ArrayList<>();
    for (Acquisition lease : calls) {
      if (!lease.isGranted()) {
        continue;
      }
      long from = lease.granted;
      long end = end(lease);
      for (int i = 0; i < forces.size(); i++) {
        History.Force force = forces.get(i);
        boolean cameLater = lease.hasToken() && lease.token > smallestAfter[i];
        if (force.returned() >= lease.called && force.called() < end && !cameLater) {
          add(claims, from, Math.min(end, force.called()), lease);
          from = Math.max(from, plus(force.returned(), longestLease));
        }
      }
      add(claims, from, end, lease);
    }
    claims.sort(Comparator.comparingLong(Claim::from));
    return claims;
  }

  /** For each use of force, the smallest token of a grant that was asked for after it. */
  private static long[] smallestTokensAfter(List<Acquisition> calls, List<History.Force> forces) {
    long[] smallest = new long[forces.size()];
    for (int i = 0; i < smallest.length; i++) {
      smallest[i] = Long.MAX_VALUE;
      for (Acquisition call : calls) {
        if (call.hasToken() && call.called > forces.get(i).returned()) {
          smallest[i] = Math.min(smallest[i], call.token);
        }
      }
    }
    return smallest;
  }

  private static void add(List<Claim> claims, long from, long to, Acquisition lease) {
    if (from < to) {
      claims.add(new Claim(from, to, lease));
    }
  }

  static long plus(long nanos, long span) {
    return nanos > Long.MAX_VALUE - span ? Long.MAX_VALUE : nanos + span;
  }
}
