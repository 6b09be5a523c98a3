package io.leasehold.provider.memory;

import java.util.List;

/**
 * One side of a lock that several can hold: the readers, the writers, or the permits. Guarded by
 * the monitor of its {@link MemorySpace}; whom a step has chosen is called outside.
 */
abstract class MemorySide {

  /**
   * Somebody who asks.
   *
   * @param client its ears, which stand for it among those who wait
   * @param permits how many may hold it, as far as it is concerned
   */
  record Asker(MemoryWatchers client, String owner, int permits) {}

  final MemoryHolders holders = new MemoryHolders();

  /** The fence before the first of those who hold it now. */
  long fenceBefore;

  /** For how many microseconds, at most, somebody who asks is kept out; 0 when it may come. */
  abstract long keptOut(Asker asker, long now);

  /** Somebody who was kept out waits, and wants to be called. */
  abstract void enter(Asker asker, long now);

  /** Somebody came: it does not wait any more. */
  abstract void came(Asker asker);

  /** A client waits no more, and may have been called in vain: whom to call instead. */
  abstract List<Called> left(MemoryWatchers client, long now);

  /** Somebody who held it does so no more: whom to call. */
  abstract List<Called> ended(long now);

  /** How many clients wait. */
  abstract int waiters();

  /** Whom to call; for the ears of one side. */
  record Called(MemoryWatchers client, String lock) {
    void call() {
      client.call(lock);
    }
  }
}
