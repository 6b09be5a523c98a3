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
  private final Queue<Pending> pending = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean armed = new AtomicBoolean();

  Deadlines(ProviderContext context, Duration time) {
    this.context = context;
    this.nanos = time.toNanos();
  }

  /** Fails the reply with TIMEOUT unless it completes in time. */
  void watch(CompletableFuture<?> reply) {
    for (Pending oldest = pending.peek();
        oldest != null && oldest.reply.isDone();
        oldest = pending.peek()) {
      pending.remove(oldest);
    }
    pending.add(new Pending(reply, context.time().monotonicNanos() + nanos));
    arm(nanos);
  }

  private void arm(long delay) {
    if (armed.compareAndSet(false, true)) {
      context.scheduler().schedule(this::look, delay);
    }
  }

  private void look() {
    long now = context.time().monotonicNanos();
    for (Pending oldest = pending.peek(); oldest != null; oldest = pending.peek()) {
      long left = oldest.deadline - now;
      if (!oldest.reply.isDone() && left > 0) {
        context.scheduler().schedule(this::look, left);
        return;
      }
      if (pending.remove(oldest)) {
        oldest.reply.completeExceptionally(RedisConnectionFailure.timeout(null));
      }
    }
    armed.set(false);
    if (!pending.isEmpty()) { // added meanwhile, by somebody who saw it armed
      arm(nanos);
    }
  }

  private record Pending(CompletableFuture<?> reply, long deadline) {}
}
