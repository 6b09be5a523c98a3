package io.leasehold.engine;

import io.leasehold.spi.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits for answers, on the callers' threads, and for each of them only so long.
 *
 * <p>A thread that sleeps with a time limit has the operating system set a timer and take it back,
 * for each answer of a node that is hardly ever silent. So callers sleep without one, and one timer
 * looks after all of them. While answers come it is due about once in the time that a caller is
 * patient, and not at all while nobody waits.
 */
final class Patience {
  /** So many callers share the timer. If there are more at a time, those have their own. */
  static final int PLACES = 64;

  /**
   * Of all clients, and for nothing else. That of the JDK is not good enough: whatever applications
   * do when their own timeouts come runs on it, too, and may block.
   */
  private static final Scheduler TIMER = ThreadScheduler.endingWhenIdle("leasehold-patience");

  private final long usual;
  private final Scheduler timer;
  private final AtomicReferenceArray<@Nullable Caller> places = new AtomicReferenceArray<>(PLACES);
  private final AtomicBoolean watching = new AtomicBoolean();

  /**
   * @param usual how long a caller waits, in nanoseconds
   */
  Patience(long usual) {
    this(usual, TIMER);
  }

  /**
   * @param timer must never end, and never be late
   */
  Patience(long usual, Scheduler timer) {
    this.usual = usual;
    this.timer = timer;
  }

  /**
   * Waits for an answer.
   *
   * @param nanos how long; if that is less than usual, with a timer of its own
   */
  <R> R await(CompletableFuture<R> answer, long nanos)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (nanos < usual || answer.isDone()) {
      return answer.get(nanos, TimeUnit.NANOSECONDS);
    }
    Caller caller = new Caller(System.nanoTime() + nanos);
    int place = place(caller);
    if (place < 0) {
      return answer.get(nanos, TimeUnit.NANOSECONDS);
    }
    try {
      watch();
      var unused = answer.whenComplete(caller);
      ForkJoinPool.managedBlock(caller);
    } finally {
      places.set(place, null);
    }
    return answer.get(0, TimeUnit.NANOSECONDS);
  }

  private int place(Caller caller) {
    int first = (int) caller.thread.getId();
    for (int i = 0; i < PLACES; i++) {
      int place = (first + i) & (PLACES - 1);
      if (places.get(place) == null && places.compareAndSet(place, null, caller)) {
        return place;
      }
    }
    return -1;
  }

  /** For who has a place already. */
  private void watch() {
    if (!watching.get() && watching.compareAndSet(false, true)) {
      lookAfter(usual);
    }
  }

  /** Without a timer no one would be woken: if it cannot be set, all callers stop waiting now. */
  private void lookAfter(long nanos) {
    boolean scheduled = false;
    try {
      timer.schedule(this::look, nanos);
      scheduled = true;
    } finally {
      if (!scheduled) {
        watching.set(false);
        wakeAll();
      }
    }
  }

  private void wakeAll() {
    for (int i = 0; i < PLACES; i++) {
      Caller caller = places.get(i);
      if (caller != null) {
        caller.wake();
      }
    }
  }

  private void look() {
    long next = wakeOverdue();
    if (next == Long.MAX_VALUE) {
      watching.set(false);
      next = wakeOverdue(); // who came meanwhile may have found that it is watched
      if (next == Long.MAX_VALUE || !watching.compareAndSet(false, true)) {
        return;
      }
    }
    lookAfter(Math.min(next, usual)); // whoever comes meanwhile is not as patient as some are
  }

  /** Returns after how many nanoseconds the time of one that still waits is over. */
  private long wakeOverdue() {
    long now = System.nanoTime();
    long next = Long.MAX_VALUE;
    for (int i = 0; i < PLACES; i++) {
      Caller caller = places.get(i);
      if (caller == null) {
        continue;
      }
      long left = caller.deadline - now;
      if (left <= 0) {
        caller.wake();
      } else {
        next = Math.min(next, left);
      }
    }
    return next;
  }

  /** Sleeps until there is an answer, or its time is over. */
  private static final class Caller
      implements ForkJoinPool.ManagedBlocker, BiConsumer<@Nullable Object, @Nullable Throwable> {
    final Thread thread = Thread.currentThread();
    final long deadline;
    private volatile boolean awake;

    Caller(long deadline) {
      this.deadline = deadline;
    }

    void wake() {
      awake = true;
      LockSupport.unpark(thread);
    }

    @Override
    public void accept(@Nullable Object answer, @Nullable Throwable error) {
      wake();
    }

    @Override
    public boolean isReleasable() {
      return awake;
    }

    @Override
    public boolean block() throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      LockSupport.park(this);
      return awake;
    }
  }
}
