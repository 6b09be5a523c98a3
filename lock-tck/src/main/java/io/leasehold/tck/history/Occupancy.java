package io.leasehold.tck.history;

import static io.leasehold.tck.history.Acquisition.NEVER;

import io.leasehold.LossReason;

/**
 * Until when a lease may have kept others out: the opposite of a {@linkplain Claims claim}. Whoever
 * dies, or loses a lease because it could not be renewed, may keep the lock for another lease time
 * on the server.
 */
final class Occupancy {
  private static final long FOREVER = Long.MAX_VALUE;

  private final long longestLease;

  Occupancy(long longestLease) {
    this.longestLease = longestLease;
  }

  /** When the lock must have been free of a lease that was granted. */
  long end(Acquisition lease) {
    long end = Math.min(byRelease(lease), byLoss(lease));
    return Math.min(end, Math.min(byClose(lease), byDeath(lease)));
  }

  private long byRelease(Acquisition lease) {
    if (lease.ending == null) {
      return FOREVER;
    }
    return switch (lease.ending) {
      case RELEASED -> lease.released;
      case LOST, UNAVAILABLE, FAILED -> Claims.plus(lease.released, longestLease);
    };
  }

  private long byLoss(Acquisition lease) {
    if (lease.lost == NEVER) {
      return FOREVER;
    }
    boolean gone =
        lease.reason == LossReason.TAKEN
            || lease.reason == LossReason.FORCED
            || lease.reason == LossReason.EXPIRED;
    return gone ? lease.lost : Claims.plus(lease.lost, longestLease);
  }

  private long byClose(Acquisition lease) {
    Recorded client = lease.client;
    if (client.closed == NEVER) {
      return FOREVER;
    }
    for (History.Fault fault : client.faults) {
      if (fault.fromNanos() <= client.closed && fault.toNanos() >= client.close) {
        return Claims.plus(client.closed, longestLease);
      }
    }
    return client.closed;
  }

  /** A process that was killed, or stopped for longer than a lease, renews nothing. */
  private long byDeath(Acquisition lease) {
    for (History.Fault fault : lease.client.faults) {
      long over = Claims.plus(fault.fromNanos(), longestLease);
      // Another process of the same name may have taken its place before the fault was over.
      boolean dead = fault.kills() && lease.client.lastSeen <= fault.toNanos();
      boolean forLong = !fault.kills() && fault.stops() && fault.toNanos() >= over;
      if ((dead || forLong) && fault.toNanos() >= lease.granted) {
        return Math.max(over, lease.granted);
      }
    }
    return FOREVER;
  }
}
