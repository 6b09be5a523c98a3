package io.leasehold.tck.checks;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Tap;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;
import java.util.function.Function;

/**
 * A client that hands a lock from one call to the next. Whether it does, and does not just release
 * it, depends on the moment, and is its own business: a check tries until it has seen it.
 */
final class HandingClient {
  private static final Duration PREPARATION = Duration.ofSeconds(8);
  private static final Duration TRYING = Duration.ofSeconds(12);

  /** Much shorter than a client keeps a lock among its calls. */
  private static final Duration MOMENT = Duration.ofMillis(20);

  /**
   * A lease, and a call of the same client that waits for the lock.
   *
   * @param name the lock
   * @param lease the lease
   * @param next the call
   */
  record Handing<T>(String name, Lease lease, T next) {}

  private final Bench bench;
  private final LockClient client;
  private final Wiretap wire = new Wiretap();
  private final long endNanos = System.nanoTime() + TRYING.toNanos();

  HandingClient(Bench bench, Duration commandTimeout, Tap... taps) {
    this.bench = bench;
    Opening opening = bench.client().commandTimeout(commandTimeout);
    for (Tap tap : taps) {
      opening.tap(tap);
    }
    this.client = opening.tap(wire).open();
  }

  /** Whether it has handed a lock over, or is about to. */
  boolean hasHandedOver() {
    return wire.count(Operation.TRANSFER) > 0;
  }

  /** Whether to try once more. */
  boolean triesAgain() {
    return !hasHandedOver() && System.nanoTime() - endNanos < 0;
  }

  /** Takes a lock, begins another call, and returns when that one waits. */
  <T> Handing<T> prepare(Function<DistributedLock, T> call) throws InterruptedException {
    String name = bench.name();
    Lease lease = client.lock(name).acquire(PREPARATION);
    int before = wire.grantReplies().size();
    T next = call.apply(client.lock(name));
    Waiting.until(
        "a call of a client asks for what another call of it holds",
        PREPARATION,
        () -> wire.grantReplies().size() > before);
    Waiting.pause(MOMENT);
    return new Handing<>(name, lease, next);
  }
}
