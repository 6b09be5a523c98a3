package io.leasehold.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A heap of things that are due, the earliest first, from which any entry can be taken out in
 * logarithmic time: each entry knows its place. A lease that is released after a millisecond must
 * not stay in memory until its renewal would have been due. Not thread-safe.
 *
 * @param <E> the entries
 */
final class DeadlineHeap<E extends DeadlineHeap.Entry> {

  /** Something that is due at a moment of the monotonic clock. */
  abstract static class Entry {
    private static final int ABSENT = -1;
    private long dueNanos;
    private int place = ABSENT;

    final long dueNanos() {
      return dueNanos;
    }
  }

  private @Nullable Entry[] entries = new Entry[64];
  private int size;

  int size() {
    return size;
  }

  boolean contains(E entry) {
    return entry(entry).place != Entry.ABSENT;
  }

  /** Adds the entry, or moves it to another time. */
  void put(E entry, long dueNanos) {
    Entry e = entry(entry);
    e.dueNanos = dueNanos;
    if (e.place == Entry.ABSENT) {
      if (size == entries.length) {
        entries = Arrays.copyOf(entries, size * 2);
      }
      place(e, size++);
    }
    siftUp(e.place);
    siftDown(e.place);
  }

  void remove(E entry) {
    int hole = entry(entry).place;
    if (hole == Entry.ABSENT) {
      return;
    }
    entry(entry).place = Entry.ABSENT;
    Entry last = at(--size);
    entries[size] = null;
    if (hole != size) {
      place(last, hole);
      siftUp(hole);
      siftDown(last.place);
    }
  }

  /** The entry that is due first; null when there is none. */
  @SuppressWarnings("unchecked") // only E goes in
  @Nullable E first() {
    return size == 0 ? null : (E) at(0);
  }

  private void siftUp(int start) {
    int here = start;
    Entry moving = at(here);
    while (here > 0) {
      int parent = (here - 1) >>> 1;
      if (at(parent).dueNanos - moving.dueNanos <= 0) {
        break;
      }
      place(at(parent), here);
      here = parent;
    }
    place(moving, here);
  }

  private void siftDown(int start) {
    int here = start;
    Entry moving = at(here);
    while (true) {
      int child = 2 * here + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && at(child + 1).dueNanos - at(child).dueNanos < 0) {
        child++;
      }
      if (moving.dueNanos - at(child).dueNanos <= 0) {
        break;
      }
      place(at(child), here);
      here = child;
    }
    place(moving, here);
  }

  private void place(Entry entry, int index) {
    entries[index] = entry;
    entry.place = index;
  }

  private Entry at(int index) {
    Entry entry = entries[index];
    if (entry == null) {
      throw new IllegalStateException("no entry at " + index);
    }
    return entry;
  }

  private static Entry entry(Entry entry) {
    return entry;
  }
}
