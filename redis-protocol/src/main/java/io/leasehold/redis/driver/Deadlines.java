package io.leasehold.redis.driver;

import io.leasehold.redis.RedisConnectionFailure;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends replies that do not come within the command timeout, for ports that do not block. All
 * replies have the same timeout, so the oldest ends first: one timer is enough, and it is set at
 * most once in that time however many commands are sent.
 */
public final class Deadlines {
  private final PortContext context;
  private final long nanos;
  private final Queue<Reply<?>> pending = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean armed = new AtomicBoolean();

  /** With the timeout, the clock and the scheduler of a lock client. */
  public Deadlines(PortContext context) {
    this.context = context;
    this.nanos = context.commandTimeout().toNanos();
  }

  /** A new reply, which fails with TIMEOUT unless it is completed in time. */
  public <T> CompletableFuture<T> reply() {
    return reply(() -> {});
  }

  /**
   * As {@link #reply()}.
   *
   * @param late called on the timer's thread before the reply fails; may complete it otherwise
   */
  public <T> CompletableFuture<T> reply(Runnable late) {
    Reply<T> reply = new Reply<>(context.time().monotonicNanos() + nanos, late);
    for (Reply<?> oldest = pending.peek();
        oldest != null && oldest.isDone();
        oldest = pending.peek()) {
      pending.remove(oldest);
    }
    pending.add(reply);
    if (armed.compareAndSet(false, true)) {
      schedule(nanos);
    }
    return reply;
  }

  /** Looks again later. If that cannot be scheduled, the next reply tries again. */
  private void schedule(long delay) {
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
    long next = nanos;
    try {
      long now = context.time().monotonicNanos();
      for (Reply<?> oldest = pending.peek(); oldest != null; oldest = pending.peek()) {
        long left = oldest.deadlineNanos - now;
        if (!oldest.isDone() && left > 0) {
          next = left;
          break;
        }
        if (pending.remove(oldest) && !oldest.isDone()) {
          oldest.late.run();
          oldest.completeExceptionally(RedisConnectionFailure.timeout(null));
        }
      }
    } finally { // a reply's dependent action may throw: the others still have their deadlines
      armed.set(false);
      if (!pending.isEmpty() && armed.compareAndSet(false, true)) {
        schedule(next);
      }
    }
  }

  private static final class Reply<T> extends CompletableFuture<T> {
    private final long deadlineNanos;
    private final Runnable late;

    Reply(long deadlineNanos, Runnable late) {
      this.deadlineNanos = deadlineNanos;
      this.late = late;
    }

    /** Dependent stages are plain ones, without a deadline of their own. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
      return new CompletableFuture<>();
    }
  }
}
