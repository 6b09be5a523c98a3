package io.leasehold.provider.redlock;

import io.leasehold.spi.TimeSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What attempts of this client may have left on a member, because it did not answer them in time:
 * from the end of such an attempt until its release is confirmed, or its lock must have ended by
 * itself. Whoever is told meanwhile that somebody holds such a name does not know who. Thread-safe.
 */
final class Leftovers {
  private static final int MOST = 1_000;

  private record Left(String name, long endNanos) {}

  private final TimeSource time;
  private final Map<String, Left> byOwner = new LinkedHashMap<>();

  Leftovers(TimeSource time) {
    this.time = time;
  }

  /** An attempt for this owner failed, and the member may have carried it out, or will. */
  synchronized void add(String name, String owner, long endNanos) {
    byOwner.put(owner, new Left(name, endNanos));
    if (byOwner.size() > MOST) {
      byOwner.remove(byOwner.keySet().iterator().next());
    }
  }

  /** The member has said that the owner has nothing there any more. */
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
    return byOwner.values().stream().anyMatch(left -> left.name.equals(name));
  }
}
