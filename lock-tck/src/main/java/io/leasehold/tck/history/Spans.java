package io.leasehold.tck.history;

import java.util.Arrays;

/** Spans of time that do not touch each other, in order. */
final class Spans {

  /** Hears of a span. */
  @FunctionalInterface
  interface Taker {
    void span(long from, long to);
  }

  private long[] from = new long[8];
  private long[] to = new long[8];
  private int size;

  /** Adds one that begins after the beginning of the last; it may overlap that. */
  void add(long begin, long end) {
    if (size > 0 && begin <= to[size - 1]) {
      to[size - 1] = Math.max(to[size - 1], end);
      return;
    }
    if (size == from.length) {
      from = Arrays.copyOf(from, 2 * size);
      to = Arrays.copyOf(to, 2 * size);
    }
    from[size] = begin;
    to[size++] = end;
  }

  /** The first that ends at or after a moment. */
  private int firstAfter(long nanos) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (to[middle] < nanos) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Whether one of them has a moment of this span. */
  boolean touch(long begin, long end) {
    int at = firstAfter(begin);
    return at < size && from[at] <= end;
  }

  /** The pieces of a span that are in none of them. */
  void without(long begin, long end, Taker taker) {
    long at = begin;
    for (int i = firstAfter(begin); i < size && from[i] <= end; i++) {
      if (from[i] > at) {
        taker.span(at, from[i]);
      }
      at = Math.max(at, to[i]);
    }
    if (at < end) {
      taker.span(at, end);
    }
  }
}
