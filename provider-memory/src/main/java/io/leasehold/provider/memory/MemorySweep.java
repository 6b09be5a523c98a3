package io.leasehold.provider.memory;

/**
 * When what has ended is to be taken out: after as many steps as there are entries, so that it
 * costs each step the same however many there are. Guarded by the monitor of its {@link
 * MemorySpace}.
 */
final class MemorySweep {
  private static final int LEAST_STEPS = 1_024;

  private int steps;

  /** Called in each step, with how many entries there are. */
  boolean isDue(int entries) {
    if (++steps < Math.max(LEAST_STEPS, entries)) {
      return false;
    }
    steps = 0;
    return true;
  }
}
