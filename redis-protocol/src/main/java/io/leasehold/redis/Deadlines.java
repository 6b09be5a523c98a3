package io.leasehold.redis;

import io.leasehold.spi.ProviderContext;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends replies that do not come in time. All have the same time, so the oldest ends first: one
 * timer, for the oldest, is enough, and it is set at most once in that time, however many commands
 * are sent.
 */
final class Deadlines {
  private final ProviderContext context;
  private final long nanos;
  private final Queue<Awaited> pending = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean armed = new AtomicBoolean();

  Deadlines(ProviderContext context, Duration time) {
    this.context = context;
    this.nanos = time.toNanos();
  }

  /** Something that is waited for. */
  interface Awaited {

    boolean isDone();

    /** What {@link Deadlines#next} said when it was sent. */
    long deadlineNanos();

    /** It did not come in time. */
    void late(RedisConnectionFailure timeout);
  }

  /** When something that is sent now is late. */
  long next() {
    return context.time().monotonicNanos() + nanos;
  }

  /** Fails the reply with TIMEOUT unless it completes in time. */
  void watch(CompletableFuture<?> reply) {
    long deadline = next();
    watch(
        new Awaited() {
          @Override
          public boolean isDone() {
            return reply.isDone();
          }

          @Override
          public long deadlineNanos() {
            return deadline;
          }

          @Override
          public void late(RedisConnectionFailure timeout) {
            reply.completeExceptionally(timeout);
          }
        });
  }

  /** Tells whoever does not get its reply in time. */
  void watch(Awaited reply) {
    for (Awaited oldest = pending.peek();
        oldest != null && oldest.isDone();
        oldest = pending.peek()) {
      pending.remove(oldest);
    }
    pending.add(reply);
    arm(nanos);
  }

  private void arm(long delay) {
    if (armed.compareAndSet(false, true)) {
      look(delay);
    }
  }

  /** Looks again later. If that cannot be scheduled, the next command that is sent tries again. */
  private void look(long delay) {
    boolean scheduled = false;
    try {
      context.scheduler().schedule(this::look, delay);
      scheduled = true;
    } finally {
      if (!scheduled) {
        armed.set(false);
      }
    }
  }

  private void look() {
    boolean completed = false;
    try {
      long now = context.time().monotonicNanos();
      for (Awaited oldest = pending.peek(); oldest != null; oldest = pending.peek()) {
        long left = oldest.deadlineNanos() - now;
        if (!oldest.isDone() && left > 0) {
          completed = true;
          look(left);
          return;
        }
        if (pending.remove(oldest)) {
          oldest.late(RedisConnectionFailure.timeout(null));
        }
      }
      completed = true;
      armed.set(false);
      if (!pending.isEmpty()) { // added meanwhile, when this timer was still armed
        arm(nanos);
      }
    } finally {
      if (!completed) { // one reply threw: the others still have their deadlines
        armed.set(false);
        arm(0);
      }
    }
  }
}
