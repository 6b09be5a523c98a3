package io.leasehold.opentelemetry;

import io.leasehold.LockListener.AcquireCall;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The series that there are; their number is bounded whatever names a template makes. */
final class SeriesCache {
  /** How many names of locks metrics tell. */
  static final int MOST_NAMES = 200;

  /**
   * What calls of one series have in common.
   *
   * @param name the lock's name as metrics tell it; null when they do not
   */
  record Key(String provider, String topology, AcquireCall.Kind kind, @Nullable String name) {}

  private final Map<String, Boolean> names = new ConcurrentHashMap<>();
  private final Map<Key, Series> series = new ConcurrentHashMap<>();

  /**
   * @param name the lock's name as metrics should tell it; null when they should not
   */
  Series of(AcquireCall call, @Nullable String name) {
    Key key =
        new Key(
            call.provider(), call.topology(), call.kind(), name == null ? null : admitted(name));
    Series known = series.get(key);
    return known != null ? known : series.computeIfAbsent(key, Series::new);
  }

  private String admitted(String name) {
    if (names.containsKey(name)) {
      return name;
    }
    if (names.size() >= MOST_NAMES) {
      return LockConventions.OTHER;
    }
    names.put(name, true);
    return name;
  }
}
