package io.leasehold.provider.redlock;

import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TimeSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The releases that a member could not be told. They are forgotten when the locks must have ended
 * by themselves, and when there are too many: then the oldest locks end by themselves.
 */
final class Debts {
  private static final int MOST = 1_000;

  /** What is to be released, and of which locks. */
  record Debt(Side side, ReleaseRequest request) {}

  private final TimeSource time;
  private final long lifeNanos;
  private final Map<Debt, Long> open = new LinkedHashMap<>();

  Debts(TimeSource time, long lifeNanos) {
    this.time = time;
    this.lifeNanos = lifeNanos;
  }

  synchronized void add(Debt debt) {
    open.putIfAbsent(debt, time.monotonicNanos());
    if (open.size() > MOST) {
      open.remove(open.keySet().iterator().next());
    }
  }

  /** Everything that is still worth telling; it is not a debt any more. */
  synchronized List<Debt> take() {
    if (open.isEmpty()) {
      return List.of();
    }
    long now = time.monotonicNanos();
    List<Debt> due = new ArrayList<>();
    open.forEach(
        (debt, since) -> {
          if (now - since < lifeNanos) {
            due.add(debt);
          }
        });
    open.clear();
    return due;
  }
}
