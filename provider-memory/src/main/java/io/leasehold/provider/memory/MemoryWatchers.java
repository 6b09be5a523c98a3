package io.leasehold.provider.memory;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The ears of one client for one kind of lock: what it wants to have called, by the lock's name.
 * Stands for the client among those who wait, and is compared by identity. Thread-safe.
 */
final class MemoryWatchers {
  private final Map<String, List<Runnable>> watchers = new ConcurrentHashMap<>();

  void add(String lock, Runnable wake) {
    watchers.compute(
        lock,
        (n, here) -> { // in one step: a list that the last one has just left is nobody's
          List<Runnable> all = here == null ? new CopyOnWriteArrayList<>() : here;
          all.add(wake);
          return all;
        });
  }

  /** Takes one out; true when it was the last for this lock. */
  boolean remove(String lock, Runnable wake) {
    watchers.computeIfPresent(
        lock,
        (n, here) -> {
          here.remove(wake);
          return here.isEmpty() ? null : here;
        });
    return !watchers.containsKey(lock);
  }

  /** Whether a wake-up for a lock reaches anybody. */
  boolean hears(String lock) {
    return watchers.containsKey(lock);
  }

  /** Never called inside a space's monitor: anything may come of it. */
  void call(String lock) {
    watchers.getOrDefault(lock, List.of()).forEach(Runnable::run);
  }

  /** Hears nothing from now on; for which locks it did. */
  Set<String> clear() {
    Set<String> watched = Set.copyOf(watchers.keySet());
    watchers.clear();
    return watched;
  }
}
