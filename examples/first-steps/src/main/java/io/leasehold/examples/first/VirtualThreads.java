package io.leasehold.examples.first;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Thousands of virtual threads wait for one lock, in plain blocking code (Java 21 and later). */
public final class VirtualThreads {
  private static final int THREADS = 2_000;

  /** Not atomic: whoever holds the lock is alone with it. */
  private static int count;

  private VirtualThreads() {}

  /** Takes a lock URL, or nothing. */
  public static void main(String[] args) throws InterruptedException {
    count = 0;
    ExecutorService threads = threads();
    try (Place place = Place.of(args);
        LockClient locks = Locks.open(place.url())) {
      DistributedLock lock = locks.lock("counter");
      for (int i = 0; i < THREADS; i++) {
        threads.execute(() -> countOne(lock));
      }
      threads.shutdown();
      System.out.println("in time: " + threads.awaitTermination(2, TimeUnit.MINUTES));
      System.out.println(THREADS + " threads counted to " + count);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void countOne(DistributedLock lock) {
    try (Lease lease = lock.acquire(Duration.ofMinutes(1))) {
      count++;
      lease.ensureHeld();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** On Java 21: simply {@code Executors.newVirtualThreadPerTaskExecutor()}. */
  private static ExecutorService threads() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      System.out.println("this Java has no virtual threads: 16 others take their place");
      return Executors.newFixedThreadPool(16);
    }
  }
}
