package io.leasehold.provider.redlock;

import io.leasehold.spi.TimeSource;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * For how long a member has let everybody wait. It counts from the oldest request that is open, or
 * the last answer, so that a member which hangs is noticed also when no call waits for it.
 */
final class Silence {
  private final TimeSource time;
  private final LongSupplier listened;
  private final AtomicInteger requests = new AtomicInteger();
  private volatile long sinceNanos;
  private volatile long sinceListened;

  /**
   * No request is open.
   *
   * @param listened a clock that stands still while nothing is heard from anybody, see {@link
   *     Members#listenedNanos}
   */
  Silence(TimeSource time, LongSupplier listened) {
    this.time = time;
    this.listened = listened;
  }

  /** A request is sent. */
  void asked() {
    if (requests.getAndIncrement() == 0) {
      begin();
    }
  }

  /** A request has been answered, somehow. */
  void answered() {
    requests.decrementAndGet();
    begin();
  }

  private void begin() {
    sinceNanos = time.monotonicNanos();
    sinceListened = listened.getAsLong();
  }

  /** How many requests wait for an answer. */
  int requests() {
    return requests.get();
  }

  /** How long it lasts; 0 when no request is open. */
  long nanos() {
    return requests.get() == 0 ? 0 : time.monotonicNanos() - sinceNanos;
  }

  /** How much of that the client has heard others, so that it is the member's silence. */
  long itsOwnNanos() {
    return requests.get() == 0 ? 0 : listened.getAsLong() - sinceListened;
  }
}
