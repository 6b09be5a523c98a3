package io.leasehold.redis;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys of the names that were used lately: a lock that is taken over and over need not have
 * them made each time. Thread-safe.
 */
final class RecentKeys {
  private static final int MOST = 256;

  private final boolean clustered;
  private final Map<String, LockKeys> known = new ConcurrentHashMap<>();

  RecentKeys(boolean clustered) {
    this.clustered = clustered;
  }

  /** As {@link LockKeys#of}. */
  LockKeys of(String name) {
    LockKeys keys = known.get(name);
    if (keys == null) {
      keys = LockKeys.of(name, clustered);
      if (known.size() >= MOST) {
        known.clear();
      }
      known.put(name, keys);
    }
    return keys;
  }
}
