package io.leasehold.examples.first;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockOptions;
import io.leasehold.Locks;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Three instances of a service schedule the same job for the same moments; one of them runs it. The
 * lock of a moment is kept for a while after a short run, so that an instance which comes late does
 * not run it again.
 */
public final class ScheduledJob {
  private static final int INSTANCES = 3;
  private static final int TICKS = 4;
  private static final Duration PERIOD = Duration.ofMillis(300);
  private static final Duration AT_LEAST = Duration.ofSeconds(5);

  private ScheduledJob() {}

  /** Takes a lock URL, or nothing. */
  public static void main(String[] args) throws InterruptedException {
    ConcurrentHashMap<Integer, AtomicInteger> runs = new ConcurrentHashMap<>();
    CountDownLatch ticks = new CountDownLatch(INSTANCES * TICKS);
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(INSTANCES);
    try (Place place = Place.of(args);
        LockClient one = Locks.open(place.url());
        LockClient two = Locks.open(place.url());
        LockClient three = Locks.open(place.url())) {
      for (LockClient instance : new LockClient[] {one, two, three}) {
        for (int tick = 0; tick < TICKS; tick++) {
          int number = tick;
          var unused =
              timer.schedule(
                  () -> {
                    tick(instance, number, runs, timer);
                    ticks.countDown();
                  },
                  PERIOD.multipliedBy(1 + number).toMillis(),
                  TimeUnit.MILLISECONDS);
        }
      }
      System.out.println("in time: " + ticks.await(1, TimeUnit.MINUTES));
      runs.forEach((tick, times) -> System.out.println("tick " + tick + ": ran " + times));
    } finally {
      timer.shutdownNow();
    }
  }

  private static void tick(
      LockClient instance,
      int tick,
      ConcurrentHashMap<Integer, AtomicInteger> runs,
      ScheduledExecutorService timer) {
    // No run takes longer than a minute: then others may, even if this one hangs.
    LockOptions options = LockOptions.defaults().withMaxHold(Duration.ofMinutes(1));
    Optional<Lease> lease = instance.lock("report:" + tick, options).tryAcquire();
    if (lease.isEmpty()) {
      return; // it runs elsewhere
    }
    runs.computeIfAbsent(tick, any -> new AtomicInteger()).incrementAndGet();
    var unused = timer.schedule(lease.get()::close, AT_LEAST.toMillis(), TimeUnit.MILLISECONDS);
  }
}
