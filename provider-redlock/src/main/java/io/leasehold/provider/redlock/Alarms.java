package io.leasehold.provider.redlock;

import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Alarms that are nearly always cancelled. All are set for the same time from now, so the oldest
 * rings first: one timer, for the oldest, is enough, and the timer's thread is woken at most once
 * in that time, however many requests there are.
 */
final class Alarms {

  /** One alarm. */
  static final class Alarm implements Scheduler.Task {
    private final long atNanos;
    private volatile @Nullable Runnable task;

    private Alarm(Runnable task, long atNanos) {
      this.task = task;
      this.atNanos = atNanos;
    }

    @Override
    public void cancel() {
      task = null;
    }
  }

  private final Scheduler scheduler;
  private final TimeSource time;
  private final long delayNanos;
  private final Queue<Alarm> pending = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean armed = new AtomicBoolean();

  Alarms(Scheduler scheduler, TimeSource time, long delayNanos) {
    this.scheduler = scheduler;
    this.time = time;
    this.delayNanos = delayNanos;
  }

  /** Runs the task after the time of these alarms, unless it is cancelled. */
  Scheduler.Task set(Runnable task) {
    Alarm alarm = new Alarm(task, time.monotonicNanos() + delayNanos);
    for (Alarm oldest = pending.peek();
        oldest != null && oldest.task == null;
        oldest = pending.peek()) {
      pending.remove(oldest);
    }
    pending.add(alarm);
    arm(delayNanos);
    return alarm;
  }

  private void arm(long delay) {
    if (armed.compareAndSet(false, true)) {
      look(delay);
    }
  }

  /** Looks again later. If that cannot be scheduled, the next alarm that is set tries again. */
  private void look(long delay) {
    boolean scheduled = false;
    try {
      scheduler.schedule(this::look, delay);
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
      long now = time.monotonicNanos();
      for (Alarm oldest = pending.peek(); oldest != null; oldest = pending.peek()) {
        Runnable task = oldest.task;
        long left = oldest.atNanos - now;
        if (task != null && left > 0) {
          completed = true;
          look(left);
          return;
        }
        if (pending.remove(oldest) && task != null) {
          task.run();
        }
      }
      completed = true;
      armed.set(false);
      if (!pending.isEmpty()) { // set meanwhile, when this timer was still armed
        arm(delayNanos);
      }
    } finally {
      if (!completed) { // one task threw: the others still have their alarms
        armed.set(false);
        arm(0);
      }
    }
  }
}
