package io.leasehold.tck.history;

import static io.leasehold.tck.history.Acquisition.NEVER;

import io.leasehold.LossReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What must be true of each lease by itself. */
final class LeaseRules {
  private final Weather weather;
  private final Findings findings;
  private final Map<String, List<History.Force>> forces = new HashMap<>();
  private final long bound;

  LeaseRules(History history, Weather weather, HistoryBounds bounds, Findings findings) {
    this.weather = weather;
    this.findings = findings;
    this.bound = ClientLog.nanos(bounds.servedWithin());
    for (History.Force force : history.forces()) {
      forces.computeIfAbsent(force.lock(), name -> new ArrayList<>()).add(force);
    }
  }

  void check(Acquisition call) {
    if (!call.isGranted()) {
      return;
    }
    close(call);
    revival(call);
    release(call);
    if (call.lost != NEVER) {
      told(call);
      loss(call);
    } else {
      untold(call);
    }
  }

  private void found(Rule rule, Acquisition lease, long atNanos, String text) {
    findings.add(rule, String.join(",", lease.locks), atNanos, lease + " " + text);
  }

  /**
   * A call that began after close had returned must fail, and a lease must be over when close has
   * returned: it was asked how long it is valid after its grant had returned.
   */
  private void close(Acquisition lease) {
    long closed = lease.client.closed;
    if (closed == NEVER) {
      return;
    }
    if (lease.called > closed) {
      found(Rule.GRANT_AFTER_CLOSE, lease, lease.granted, "began after close, and was granted");
    } else if (lease.held > closed) {
      found(Rule.GRANT_AFTER_CLOSE, lease, lease.held, "was held after close");
    }
  }

  private void revival(Acquisition lease) {
    long over = earlier(lease.ended, earlier(lease.lost, lease.released));
    if (over != NEVER && lease.held > over) {
      found(
          Rule.LEASE_REVIVED,
          lease,
          lease.held,
          "had ended by " + findings.at(over) + ", and was held again");
    }
  }

  private static long earlier(long one, long other) {
    return one == NEVER ? other : other == NEVER ? one : Math.min(one, other);
  }

  /**
   * The release came back while the lease was valid by its own word, so the server was asked while
   * it was: it must have been acknowledged, unless it had been taken away by force or a fault has
   * been there since the lease was asked for.
   */
  private void release(Acquisition lease) {
    if (lease.ending == Ending.FAILED) {
      found(Rule.UNACKNOWLEDGED_RELEASE, lease, lease.released, "was released, which failed");
    }
    long valid = lease.releaseValid - Claims.slack(lease.releaseValid);
    boolean lived = lease.heldAtRelease && lease.released - lease.release < valid;
    if (lease.ending == Ending.LOST
        && lived
        && !wasForced(lease, lease.released)
        && !closedBefore(lease)
        && !weather.explains(lease.client, lease.called, lease.released)) {
      found(
          Rule.UNACKNOWLEDGED_RELEASE,
          lease,
          lease.released,
          "was valid for "
              + Findings.millis(lease.releaseValid)
              + " when it was released, and was told that it had been lost");
    }
    if (lease.ending == Ending.RELEASED && lease.overAtRelease) {
      found(Rule.LOSS_MISTOLD, lease, lease.released, "was over, and then told as released");
    }
  }

  private static boolean closedBefore(Acquisition lease) {
    return lease.client.close != NEVER && lease.client.close <= lease.released;
  }

  /** Whether anybody has used force on a lock of this lease, from its call to a moment. */
  private boolean wasForced(Acquisition lease, long until) {
    for (History.Force force : forcesOf(lease)) {
      if (force.called() <= until && force.returned() >= lease.called) {
        return true;
      }
    }
    return false;
  }

  /** Whether force was used exactly once, for certain, and between its grant and its loss. */
  private boolean wasPlainlyForced(Acquisition lease) {
    int times = 0;
    boolean plain = false;
    for (History.Force force : forcesOf(lease)) {
      if (force.called() <= lease.lost && force.returned() >= lease.called) {
        times++;
        plain = force.done() && force.called() > lease.granted && force.returned() < lease.lost;
      }
    }
    return plain && times == 1 && !lease.isSet();
  }

  private List<History.Force> forcesOf(Acquisition lease) {
    if (forces.isEmpty() || lease.kind != LockKind.MUTEX) {
      return List.of();
    }
    List<History.Force> all = new ArrayList<>();
    lease.locks.forEach(name -> all.addAll(forces.getOrDefault(name, List.of())));
    return all;
  }

  private void told(Acquisition lease) {
    if (lease.timesLost > 1) {
      found(Rule.LOSS_MISTOLD, lease, lease.lost, "was told " + lease.timesLost + " times as lost");
    }
    if (lease.ending == Ending.RELEASED) {
      found(Rule.LOSS_MISTOLD, lease, lease.lost, "was told as lost, and as released");
    }
  }

  /** It has said that it is over, nobody has released it, and it was never told to be lost. */
  private void untold(Acquisition lease) {
    boolean unasked = lease.release == NEVER || lease.release > lease.ended;
    if (bound > 0
        && lease.ended != NEVER
        && unasked
        && lease.client.lastSeen > lease.ended + bound
        && lease.grantedValid > 0
        && !weather.storms(lease.client).touch(lease.ended, lease.ended + bound)) {
      found(Rule.LOSS_MISTOLD, lease, lease.ended, "had ended, and no loss was told");
    }
  }

  private void loss(Acquisition lease) {
    if (Claims.endedByTime(lease)) {
      lapse(lease);
    } else if (lease.reason != LossReason.CLIENT_CLOSED) {
      theft(lease);
    }
  }

  private void lapse(Acquisition lease) {
    long over = earlier(lease.ended, lease.lost);
    if (lease.validUntil != NEVER
        && over < lease.validUntil - Claims.slack(lease.validFor)
        && Claims.clocksAreTrusted(lease)) {
      found(
          Rule.OPTIMISTIC_REMAINING,
          lease,
          over,
          "said that it is valid until "
              + findings.at(lease.validUntil)
              + ", and ended by its time ("
              + lease.reason
              + ")");
    }
    // Renewal has two thirds of the lease time; it must get through in a part of that.
    long chance = Math.max(bound, lease.validFor / 4);
    if (bound > 0
        && lease.reason == LossReason.RENEWAL_FAILED
        && chance < lease.validFor * 6 / 10
        && !weather.explains(lease.client, over - chance, over)) {
      found(
          Rule.UNEXPLAINED_LOSS,
          lease,
          over,
          "could not be renewed, with nothing wrong for " + Findings.millis(chance));
    }
  }

  /**
   * The server said that the lock is not this lease's, before its validity was over. Force explains
   * that, and must be told as force when it was used once; a fault does, since the lease was asked
   * for.
   */
  private void theft(Acquisition lease) {
    boolean forced = wasForced(lease, lease.lost);
    boolean told = lease.reason == LossReason.FORCED || !wasPlainlyForced(lease);
    if (lease.lost < lease.validUntil - Claims.slack(lease.validFor)
        && !(forced && told)
        && !weather.explains(lease.client, lease.called, lease.lost)) {
      found(
          Rule.UNEXPLAINED_LOSS,
          lease,
          lease.lost,
          "was told as "
              + lease.reason
              + (forced ? ", though it was taken away by force," : "")
              + " while it was valid for "
              + Findings.millis(lease.validUntil - lease.lost));
    }
  }
}
