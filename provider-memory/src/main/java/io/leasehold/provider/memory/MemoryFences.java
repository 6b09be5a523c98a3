package io.leasehold.provider.memory;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The highest token given out for each name. Guarded by the monitor of its {@link MemorySpace}. */
final class MemoryFences {
  /** How far below the clock a fence that was forgotten may have been, and above it accepted. */
  private static final long SPAN_MICROS = 5_000_000;

  private record Fence(long token, long endMicros) {}

  private final Map<String, Fence> fences = new HashMap<>();

  /** The highest token as far as it is remembered; 0 for none. */
  long known(String lock, long now) {
    Fence fence = fences.get(lock);
    return fence == null || fence.endMicros <= now ? 0 : fence.token;
  }

  /**
   * One token for all of these: the proposal where it fits between what was given out and what the
   * clock allows.
   */
  long next(Collection<String> locks, long proposal, long retentionMillis, long now) {
    long floor = floor(locks, now);
    long token = proposal > floor && proposal <= now + SPAN_MICROS ? proposal : floor + 1;
    Fence fence = new Fence(token, now + retentionMillis * 1_000);
    locks.forEach(lock -> fences.put(lock, fence));
    return token;
  }

  /** What the next token of these locks is above. */
  private long floor(Collection<String> locks, long now) {
    long floor = now - SPAN_MICROS;
    for (String lock : locks) {
      floor = Math.max(floor, known(lock, now));
    }
    return floor;
  }

  /** Lifts a fence to a token, if that is not below it and the clock allows it. */
  boolean raise(String lock, long token, long retentionMillis, long now) {
    return raise(lock, token, known(lock, now), retentionMillis, now);
  }

  /** The same for a token that may be below the fence, but not below the least; never down. */
  boolean raise(String lock, long token, long least, long retentionMillis, long now) {
    boolean fits = token >= least && token > now - SPAN_MICROS && token <= now + SPAN_MICROS;
    if (fits) {
      long lifted = Math.max(token, known(lock, now));
      fences.put(lock, new Fence(lifted, now + retentionMillis * 1_000));
    }
    return fits;
  }

  void sweep(long now) {
    fences.values().removeIf(fence -> fence.endMicros <= now);
  }
}
