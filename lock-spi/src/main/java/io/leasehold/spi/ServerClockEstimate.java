package io.leasehold.spi;

import java.util.concurrent.atomic.AtomicReference;

/**
 * What the server's clock shows, estimated from its replies.
 *
 * <p>When a reply arrives, the server's clock shows at least what the reply says; how much more,
 * only the network knows. So each reply gives a lower bound of the offset, and the largest recent
 * one is the best. A lower bound is what a deadline needs: the server gives up no later than the
 * client. An estimate that is contradicted by more than {@link #STEP_MICROS}, or has grown old, is
 * replaced: the server's clock may have been set.
 *
 * <p>Thread-safe.
 */
public final class ServerClockEstimate {
  private static final long STEP_MICROS = 1_000_000;
  private static final long OLD_NANOS = 10_000_000_000L;

  private record Sample(long offsetMicros, long takenNanos) {}

  private final TimeSource time;
  private final AtomicReference<Sample> best = new AtomicReference<>();

  /** Knows nothing yet. */
  public ServerClockEstimate(TimeSource time) {
    this.time = time;
  }

  /** Learns from a reply that has just arrived. */
  public void learn(ServerClock reply) {
    if (reply.serverMicros() == ServerClock.UNKNOWN) {
      return;
    }
    long now = time.monotonicNanos();
    long offset = reply.serverMicros() - now / 1_000;
    Sample known = best.getPlain();
    if (known == null
        || offset > known.offsetMicros
        || known.offsetMicros - offset > STEP_MICROS
        || now - known.takenNanos > OLD_NANOS) {
      best.set(new Sample(offset, now));
    }
  }

  /** The deadline, on the server's clock, that lies this far ahead. */
  public long deadlineIn(long nanos) {
    Sample known = best.get();
    return known == null
        ? GrantRequest.NO_DEADLINE
        : known.offsetMicros + (time.monotonicNanos() + nanos) / 1_000;
  }

  /** Whether any reply has been seen. */
  public boolean isKnown() {
    return best.get() != null;
  }

  /** The server's clock now; this machine's wall clock while nothing better is known. */
  public long nowMicros() {
    Sample known = best.get();
    return known == null
        ? time.wallMillis() * 1_000
        : known.offsetMicros + time.monotonicNanos() / 1_000;
  }
}
