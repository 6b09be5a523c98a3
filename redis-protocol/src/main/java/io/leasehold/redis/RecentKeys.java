package io.leasehold.redis;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/**
 * The keys of the names that were used lately: a lock that is taken over and over need not have
 * them made each time. A name drives out another one with the same place; nothing grows.
 * Thread-safe.
 *
 * @param <K> the keys of one name
 */
final class RecentKeys<K> {
  private static final int PLACES = 256;

  private record Named<K>(String name, K keys) {}

  private final Function<String, K> maker;
  private final AtomicReferenceArray<Named<K>> places = new AtomicReferenceArray<>(PLACES);

  /**
   * @param maker throws IllegalArgumentException for a name that cannot be one
   */
  RecentKeys(Function<String, K> maker) {
    this.maker = maker;
  }

  /** As the maker. */
  K of(String name) {
    int hash = name.hashCode();
    int place = (hash ^ hash >>> 16) & PLACES - 1;
    Named<K> known = places.get(place);
    if (known == null || !known.name.equals(name)) {
      known = new Named<>(name, maker.apply(name));
      places.set(place, known);
    }
    return known.keys;
  }
}
