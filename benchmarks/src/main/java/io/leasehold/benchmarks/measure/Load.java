package io.leasehold.benchmarks.measure;

import com.sun.management.ThreadMXBean;
import io.leasehold.benchmarks.contestant.Client.Handle;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Threads that take and give back locks, each as fast as it can, for some time. */
public final class Load {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** How much later than asked for a thread may end: it may wait for a lease to run out. */
  private static final Duration PATIENCE = Duration.ofSeconds(45);

  /** A contestant that fails again and again is not measured, and must not fill a log. */
  private static final int ERRORS_PER_THREAD = 20;

  private Load() {}

  /**
   * Runs and waits for the end.
   *
   * @param handles the lock of each thread
   * @param turnstile if all of them are the same lock
   * @throws IllegalStateException if a thread does not come to its end, with where it stands
   */
  public static Outcome run(List<Handle> handles, Duration time, Optional<Turnstile> turnstile)
      throws InterruptedException {
    CountDownLatch start = new CountDownLatch(1);
    List<Runner> runners = new ArrayList<>();
    for (Handle handle : handles) {
      Runner runner = new Runner(handle, turnstile, start, time.toNanos());
      runner.setDaemon(true);
      runner.start();
      runners.add(runner);
    }
    start.countDown();
    long patience = System.nanoTime() + time.toNanos() + PATIENCE.toNanos();
    for (Runner runner : runners) {
      runner.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(patience - System.nanoTime())));
      if (runner.isAlive()) {
        IllegalStateException stuck = new IllegalStateException("a thread does not end");
        stuck.setStackTrace(runner.getStackTrace());
        runners.forEach(Thread::interrupt);
        throw stuck;
      }
    }
    return Outcome.sum(runners.stream().map(Runner::outcome).toList());
  }

  private static final class Runner extends Thread {
    private final Handle handle;
    private final Optional<Turnstile> turnstile;
    private final CountDownLatch start;
    private final long nanos;
    private final Samples waits = new Samples();
    private final Samples cycles = new Samples();
    private long inTime;
    private long grants;
    private long errors;
    private long violations;
    private long allocated;

    Runner(Handle handle, Optional<Turnstile> turnstile, CountDownLatch start, long nanos) {
      super("load");
      this.handle = handle;
      this.turnstile = turnstile;
      this.start = start;
      this.nanos = nanos;
    }

    @Override
    public void run() {
      try {
        start.await();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0 && errors < ERRORS_PER_THREAD) {
          cycle(end);
        }
        allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
      } catch (InterruptedException e) {
        errors++; // given up: see above
      }
    }

    private void cycle(long end) throws InterruptedException {
      long asked = System.nanoTime();
      try {
        Object held = handle.acquire();
        long granted = System.nanoTime();
        try {
          pass();
        } finally {
          handle.release(held);
        }
        grants++;
        waits.add(granted - asked);
        cycles.add(System.nanoTime() - asked);
        inTime += granted - end < 0 ? 1 : 0;
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        errors++;
        if (errors == 1) {
          System.err.println("  (an error: " + e + ")");
        }
      }
    }

    private void pass() {
      if (turnstile.isPresent()) {
        violations += turnstile.get().enter() ? 0 : 1;
        turnstile.get().leave();
      }
    }

    /** For after its end. */
    Outcome outcome() {
      return new Outcome(nanos, inTime, grants, errors, violations, allocated, waits, cycles);
    }
  }
}
