package io.leasehold.ctl.check;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.LongStream;

/**
 * How often locks were taken and given back.
 *
 * @param name what was measured
 * @param perSecond cycles a second, of all threads together
 * @param nanos how long each cycle took, in rising order
 * @param violations how often somebody was inside a lock that somebody else held
 */
record Cycles(String name, long perSecond, List<Long> nanos, long violations) {

  /** Threads that take and give back locks as fast as they can. */
  static Cycles run(String name, int threads, IntFunction<DistributedLock> locks, Duration time)
      throws InterruptedException {
    Map<String, AtomicInteger> inside = new LinkedHashMap<>();
    List<DistributedLock> each = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      each.add(locks.apply(i));
      inside.putIfAbsent(each.get(i).name(), new AtomicInteger());
    }
    AtomicLong violations = new AtomicLong();
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<long[]>> futures = new ArrayList<>();
      for (DistributedLock lock : each) {
        AtomicInteger here = inside.getOrDefault(lock.name(), new AtomicInteger());
        futures.add(pool.submit(() -> cycles(lock, time, start, here, violations)));
      }
      long began = System.nanoTime();
      start.countDown();
      List<long[]> results = new ArrayList<>();
      for (Future<long[]> future : futures) {
        results.add(future.get());
      }
      long took = System.nanoTime() - began;
      List<Long> nanos = results.stream().flatMapToLong(Arrays::stream).sorted().boxed().toList();
      return new Cycles(name, nanos.size() * 1_000_000_000L / took, nanos, violations.get());
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException known
          ? known
          : new IllegalStateException(e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private static long[] cycles(
      DistributedLock lock,
      Duration time,
      CountDownLatch start,
      AtomicInteger inside,
      AtomicLong violations)
      throws InterruptedException {
    LongStream.Builder nanos = LongStream.builder();
    start.await();
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      long began = System.nanoTime();
      try (Lease lease = lock.acquire(Duration.ofSeconds(60))) {
        if (inside.incrementAndGet() > 1 && lease.isHeld()) {
          violations.incrementAndGet();
        }
        inside.decrementAndGet();
      }
      nanos.add(System.nanoTime() - began);
    }
    return nanos.build().toArray();
  }

  /** What so many of a hundred cycles took at most; 0 when there was none. */
  long micros(int percent) {
    return nanos.isEmpty()
        ? 0
        : nanos.get(Math.max(0, (int) Math.ceil(nanos.size() * percent / 100.0) - 1)) / 1_000;
  }

  Map<String, Object> json() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("name", name);
    members.put("cyclesPerSecond", perSecond);
    members.put("p50Micros", micros(50));
    members.put("p99Micros", micros(99));
    members.put("maxMicros", micros(100));
    members.put("cycles", nanos.size());
    members.put("violations", violations);
    return members;
  }
}
