package io.leasehold.benchmarks.measure;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Numbers as they come, from one thread. There is room for so many that those of a cycle on a wire
 * are all kept; of more, every second one is, or every fourth, and so on.
 */
public final class Samples {
  private static final int MOST = 1 << 17;

  private long[] values;
  private int size;
  private int each = 1;
  private int skipped;

  /** None yet. */
  public Samples() {
    // Large at once: growing would count as what a contestant allocates.
    values = new long[1 << 15];
  }

  private Samples(long[] values) {
    this.values = values;
    this.size = values.length;
  }

  /** These. */
  public static Samples of(long... values) {
    return new Samples(values.clone());
  }

  /** Adds one. */
  public void add(long value) {
    if (++skipped < each) {
      return;
    }
    skipped = 0;
    if (size == MOST) {
      for (int i = 0; i < MOST / 2; i++) {
        values[i] = values[2 * i];
      }
      size = MOST / 2;
      each *= 2;
    } else if (size == values.length) {
      values = Arrays.copyOf(values, Math.max(16, size * 2));
    }
    values[size++] = value;
  }

  /** How many are kept. */
  public int size() {
    return size;
  }

  /** Those that are kept, in the order in which they came. */
  public LongStream stream() {
    return Arrays.stream(values, 0, size);
  }
}
