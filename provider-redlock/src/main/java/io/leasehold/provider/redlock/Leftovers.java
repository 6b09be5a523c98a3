package io.leasehold.provider.redlock;

import io.leasehold.spi.TimeSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What failed attempts of this client may have left on a member whose answer they did not get:
 * until the member answers that it did not grant, or confirms the release, or the lock has ended by
 * itself. A member that reports such a name as busy may mean this client's own attempt.
 * Thread-safe.
 */
final class Leftovers {
  private static final int MOST = 1_000;

  /**
   * @param fromNanos when the member's answer is overdue
   * @param endNanos when the lock must have ended by itself
   */
  private record Left(String name, long fromNanos, long endNanos) {}

  private final TimeSource time;
  private final Map<String, Left> byOwner = new LinkedHashMap<>();

  Leftovers(TimeSource time) {
    this.time = time;
  }

  /**
   * An attempt for this owner failed, and the member may have granted it, or will.
   *
   * @param graceNanos for how long its answer is merely on its way
   */
  synchronized void add(String name, String owner, long graceNanos, long endNanos) {
    byOwner.put(owner, new Left(name, time.monotonicNanos() + graceNanos, endNanos));
    if (byOwner.size() > MOST) {
      byOwner.remove(byOwner.keySet().iterator().next());
    }
  }

  /** The member's answer is not merely on its way: it will not come. */
  synchronized void overdue(String owner) {
    long now = time.monotonicNanos();
    byOwner.computeIfPresent(owner, (same, left) -> new Left(left.name, now, left.endNanos));
  }

  /** The owner has nothing on the member. */
  synchronized void gone(String owner) {
    byOwner.remove(owner);
  }

  /** Whether there may be something of this name. */
  synchronized boolean mayBe(String name) {
    if (byOwner.isEmpty()) {
      return false;
    }
    long now = time.monotonicNanos();
    byOwner.values().removeIf(left -> left.endNanos - now <= 0);
    return byOwner.values().stream()
        .anyMatch(left -> left.name.equals(name) && left.fromNanos - now <= 0);
  }
}
