package io.leasehold.it.hygiene;

import io.leasehold.Leasable;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * What two clients do all day: they contend for few locks of all kinds, wait, are woken, renew, and
 * cancel futures. Failures are what the test is about, and of no interest here.
 */
final class Work {
  private static final Duration WAIT = Duration.ofMillis(400);
  private static final LockOptions SHORT =
      LockOptions.defaults().withLeaseTime(Duration.ofMillis(300));

  private final List<LockClient> clients;
  private final AtomicLong grants = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean going;

  Work(LockClient one, LockClient other) {
    this.clients = List.of(one, other);
  }

  void begin() {
    going = true;
    for (LockClient client : clients) {
      start("waits", () -> use(client.lock("hot"), 2));
      start("renews", () -> use(client.lock("short", SHORT), 130));
      start("cancels", () -> cancel(client));
      start("kinds", () -> useEveryKind(client));
    }
  }

  private void start(String name, Task task) {
    Thread thread =
        new Thread(
            () -> {
              while (going) {
                try {
                  task.run();
                } catch (LockException e) {
                  LockSupport.parkNanos(2_000_000); // a server that is gone refuses at once
                } catch (InterruptedException e) {
                  return;
                }
              }
            },
            "work-" + name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private interface Task {
    void run() throws InterruptedException;
  }

  private void use(Leasable lock, long millis) throws InterruptedException {
    try (Lease lease = lock.acquire(WAIT)) {
      lease.onLost(loss -> {});
      TimeUnit.MILLISECONDS.sleep(millis); // what is done under a lock
      grants.incrementAndGet();
    }
  }

  private void useEveryKind(LockClient client) throws InterruptedException {
    use(client.readWriteLock("rw").readLock(), 1);
    use(client.readWriteLock("rw").writeLock(), 1);
    use(client.semaphore("permits", 1), 1);
    use(client.lock("fair", LockOptions.defaults().withFair()), 1);
  }

  private void cancel(LockClient client) throws InterruptedException {
    List<CompletableFuture<Lease>> asked = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      asked.add(client.lock("hot").acquireAsync(WAIT));
    }
    TimeUnit.MILLISECONDS.sleep(new Random().nextInt(15)); // some are granted by then
    for (CompletableFuture<Lease> one : asked) {
      one.cancel(false);
      var unused =
          one.whenComplete(
              (lease, error) -> {
                if (lease != null) {
                  lease.close();
                }
              });
    }
  }

  /** Waits until so many more were granted. */
  void awaitGrants(int count, Duration bound) throws InterruptedException {
    long enough = grants.get() + count;
    long start = System.nanoTime();
    while (grants.get() < enough) {
      if (System.nanoTime() - start > bound.toNanos()) {
        throw new IllegalStateException("no locks are granted any more");
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  void end(Duration bound) throws InterruptedException {
    going = false;
    for (Thread thread : threads) {
      thread.join(bound.toMillis());
      if (thread.isAlive()) {
        throw new IllegalStateException(thread.getName() + " does not come to its end");
      }
    }
    threads.clear();
  }
}
