package io.leasehold.tck.history;

import java.util.List;
import java.util.PriorityQueue;

/** When a lock was there for the taking. */
final class FreeTimes {
  private FreeTimes() {}

  /**
   * Tells the spans in order. The time from the moment when a lock must have been free to that when
   * the next grant had returned counts as free, for the one who got it too.
   *
   * @param grants in the order in which they returned
   */
  static void of(
      LockHistory lock, List<Acquisition> grants, Occupancy occupancy, Spans.Taker taker) {
    int places = 1;
    if (lock.family == LockHistory.Family.SEMAPHORE) {
      // With the smallest number that anybody asks with, there is room for everybody.
      places = lock.calls.stream().mapToInt(call -> call.permits).min().orElse(1);
    }
    long end = end(lock);
    long free = lock.calls.get(0).called;
    PriorityQueue<Long> ends = new PriorityQueue<>();
    for (Acquisition grant : grants) {
      while (!ends.isEmpty() && ends.element() <= grant.granted) {
        long ended = ends.remove();
        free = ends.size() == places - 1 ? ended : free;
      }
      ends.add(occupancy.end(grant));
      if (ends.size() == places && grant.granted > free) {
        taker.span(free, grant.granted);
      }
    }
    while (!ends.isEmpty() && ends.element() <= end) {
      long ended = ends.remove();
      free = ends.size() == places - 1 ? ended : free;
    }
    if (ends.size() < places && end > free) {
      taker.span(free, end);
    }
  }

  private static long end(LockHistory lock) {
    long end = Long.MIN_VALUE;
    for (Acquisition call : lock.calls) {
      end = Math.max(end, call.client.lastSeen);
    }
    return end;
  }
}
