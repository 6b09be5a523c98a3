package io.leasehold.engine;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Which thread of this client holds which lock through a {@code java.util.concurrent} view, and how
 * often. Kept here, not in the views, so that all views of one name are one lock.
 */
final class ThreadHolds {

  /** A lock held by a thread. Touched by that thread only. */
  static final class Hold {
    HeldLease lease; // changes when a writer goes on as a reader
    int count = 1;

    Hold(HeldLease lease) {
      this.lease = lease;
    }
  }

  private record Key(String fullName, Thread thread) {}

  private final ConcurrentMap<Key, Hold> holds = new ConcurrentHashMap<>();

  @Nullable Hold current(String fullName) {
    return holds.get(new Key(fullName, Thread.currentThread()));
  }

  void begin(String fullName, HeldLease lease) {
    holds.put(new Key(fullName, Thread.currentThread()), new Hold(lease));
  }

  void end(String fullName) {
    holds.remove(new Key(fullName, Thread.currentThread()));
  }
}
