package io.leasehold.redis;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The keys of the names that were used lately: a lock that is taken over and over need not have
 * them made each time. A name drives out another one with the same place; nothing grows.
 * Thread-safe.
 */
final class RecentKeys {
  private static final int PLACES = 256;

  private record Named(String name, LockKeys keys) {}

  private final boolean clustered;
  private final AtomicReferenceArray<Named> places = new AtomicReferenceArray<>(PLACES);

  RecentKeys(boolean clustered) {
    this.clustered = clustered;
  }

  /** As {@link LockKeys#of}. */
  LockKeys of(String name) {
    int hash = name.hashCode();
    int place = (hash ^ hash >>> 16) & PLACES - 1;
    Named known = places.get(place);
    if (known == null || !known.name.equals(name)) {
      known = new Named(name, LockKeys.of(name, clustered));
      places.set(place, known);
    }
    return known.keys;
  }
}
