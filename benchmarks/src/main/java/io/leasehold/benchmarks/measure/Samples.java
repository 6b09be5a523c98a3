package io.leasehold.benchmarks.measure;

import java.util.Arrays;
import java.util.stream.LongStream;

/** Numbers as they come, from one thread; grows as needed. */
public final class Samples {
  private long[] values;
  private int size;

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
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.max(16, size * 2));
    }
    values[size++] = value;
  }

  /** How many there are. */
  public int size() {
    return size;
  }

  /** All of them, in the order in which they came. */
  public LongStream stream() {
    return Arrays.stream(values, 0, size);
  }
}
