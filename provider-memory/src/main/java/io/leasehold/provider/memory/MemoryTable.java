package io.leasehold.provider.memory;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The locks of one kind that several can hold, by name, with their fences. Guarded by the monitor
 * of its {@link MemorySpace}.
 *
 * @param <L> the kind of lock
 */
final class MemoryTable<L> {
  private static final int SWEEP_EVERY = 1_024;

  private final Map<String, L> locks = new HashMap<>();
  private final MemoryFences fences = new MemoryFences();
  private final Function<String, L> maker;
  private final Function<L, List<MemorySide>> sides;
  private int steps;

  MemoryTable(Function<String, L> maker, Function<L, List<MemorySide>> sides) {
    this.maker = maker;
    this.sides = sides;
  }

  MemoryFences fences() {
    return fences;
  }

  L get(String name, long now) {
    if (++steps % SWEEP_EVERY == 0) {
      locks.values().removeIf(lock -> sides.apply(lock).stream().allMatch(s -> isSpent(s, now)));
      fences.sweep(now);
    }
    return locks.computeIfAbsent(name, maker);
  }

  private static boolean isSpent(MemorySide side, long now) {
    return side.waiters() == 0 && side.holders.isSpent(now);
  }
}
