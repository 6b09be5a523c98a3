package io.leasehold.spi;

import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Runs a check with random input, again and again, and says of which seed a failure is: {@code
 * -Dleasehold.seed=…} repeats it.
 */
final class Seeds {
  private static final int FULL = 100;

  private Seeds() {}

  /** What is checked. */
  interface Check {
    void with(Random random);
  }

  /** Runs so many checks; with {@code -Pfull} a hundred times as many. */
  static void each(int count, Check check) {
    Long again = Long.getLong("leasehold.seed");
    if (again != null) {
      run(again, check);
      return;
    }
    long first = ThreadLocalRandom.current().nextLong();
    int all = Boolean.getBoolean("leasehold.full") ? FULL * count : count;
    for (int i = 0; i < all; i++) {
      run(first + i, check);
    }
  }

  private static void run(long seed, Check check) {
    try {
      check.with(new Random(seed));
    } catch (RuntimeException | Error e) {
      throw new AssertionError("repeat it with -Dleasehold.seed=" + seed, e);
    }
  }
}
