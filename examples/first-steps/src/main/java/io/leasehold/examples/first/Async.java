package io.leasehold.examples.first;

import io.leasehold.DistributedLock;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A hundred tasks on one lock, and no thread that waits for it. */
public final class Async {
  private static final int TASKS = 100;

  private Async() {}

  /** Takes a lock URL, or nothing. */
  public static void main(String[] args) {
    try (Place place = Place.of(args);
        LockClient locks = Locks.open(place.url())) {
      DistributedLock lock = locks.lock("counter");
      AtomicInteger inside = new AtomicInteger();
      AtomicInteger most = new AtomicInteger();

      List<CompletableFuture<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < TASKS; i++) {
        tasks.add(
            lock.acquireAsync(Duration.ofSeconds(30))
                .thenCompose(
                    lease ->
                        work(inside, most)
                            // A release may wait for the server: not on the thread of the work.
                            .whenCompleteAsync((done, error) -> lease.close())));
      }
      CompletableFuture.allOf(tasks.toArray(new CompletableFuture<?>[0])).join();
      System.out.println(TASKS + " tasks are done, at most " + most + " at a time");
    }
  }

  /**
   * Something that goes on after its method has returned. If it threw, nothing would release the
   * lease.
   */
  private static CompletableFuture<Void> work(AtomicInteger inside, AtomicInteger most) {
    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
    return CompletableFuture.runAsync(
        inside::decrementAndGet, CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS));
  }
}
