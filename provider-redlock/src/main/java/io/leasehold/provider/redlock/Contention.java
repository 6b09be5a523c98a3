package io.leasehold.provider.redlock;

import io.leasehold.spi.TimeSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Which locks this client has lately contended for, and how it asks for them next.
 *
 * <p>Contenders who ask all members at once split the votes. So after a split vote, and after a
 * wake-up, a client asks one member alone before the others; all clients choose the same one for a
 * lock. When that one is busy the client waits, to be woken there, and if nobody wakes it, it asks
 * all members next time: what made the one member busy may be a leftover that the others know
 * nothing of. Splits that go on all the same are spread in time, more each time.
 */
final class Contention {
  private static final int MOST = 10_000;
  private static final long MEMORY_NANOS = 2_000_000_000L;
  private static final long ALONE_AGAIN_MILLIS = 1_000;
  private static final int FIRST_SPLIT_MILLIS = 8;
  private static final int MOST_DOUBLINGS = 5;

  private static final class Seen {
    boolean askAlone;
    int splits;
    long atNanos;
  }

  private final TimeSource time;
  private final RandomGenerator random;
  private final Map<String, Seen> locks =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
          return size() > MOST;
        }
      };

  Contention(TimeSource time, RandomGenerator random) {
    this.time = time;
    this.random = random;
  }

  /** Whether the next attempt shall ask one member alone first. */
  synchronized boolean asksAlone(String name) {
    Seen seen = recent(name);
    return seen != null && seen.askAlone;
  }

  /** The lock may be free: a release was heard of. */
  synchronized void woken(String name) {
    note(name).askAlone = true; // also when the wait was long
  }

  /** The lock was granted. */
  synchronized void won(String name) {
    Seen seen = locks.get(name);
    if (seen != null) {
      seen.splits = 0;
    }
  }

  /** The member that was asked alone is busy. Returns when to ask again, in milliseconds. */
  synchronized long busyAlone(String name) {
    note(name).askAlone = false;
    return ALONE_AGAIN_MILLIS + random.nextInt(1_000);
  }

  /** All were asked, and somebody holds the lock. */
  synchronized void busy(String name) {
    note(name).splits = 0;
  }

  /** Some members granted, too few. Returns when to ask again, in milliseconds. */
  synchronized long split(String name) {
    Seen seen = note(name);
    seen.askAlone = true;
    int most = FIRST_SPLIT_MILLIS << Math.min(MOST_DOUBLINGS, seen.splits++);
    return 1L + random.nextInt(most);
  }

  private @Nullable Seen recent(String name) {
    Seen seen = locks.get(name);
    return seen == null || time.monotonicNanos() - seen.atNanos > MEMORY_NANOS ? null : seen;
  }

  private Seen note(String name) {
    Seen seen = recent(name);
    if (seen == null) {
      seen = new Seen();
      locks.put(name, seen);
    }
    seen.atNanos = time.monotonicNanos();
    return seen;
  }
}
