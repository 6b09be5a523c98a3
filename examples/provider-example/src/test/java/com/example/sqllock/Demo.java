package com.example.sqllock;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Several clients, as if each were a process, and one number that each raises in two steps: what is
 * lost without a lock.
 */
final class Demo {
  private int number;

  private Demo() {}

  /**
   * Runs it.
   *
   * @param args a lock URL; without one, a database in memory
   */
  public static void main(String[] args) throws InterruptedException {
    String url = args.length > 0 ? args[0] : "lock:h2mem://demo";
    System.out.println("raised to " + run(url, 3, 20));
  }

  /** The number, after so many clients have each raised it so many times. */
  static int run(String url, int clients, int times) throws InterruptedException {
    Demo demo = new Demo();
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    List<Future<?>> ends = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      ends.add(threads.submit(() -> demo.raise(url, times)));
    }
    threads.shutdown();
    for (Future<?> end : ends) {
      try {
        end.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
    return demo.number;
  }

  private Void raise(String url, int times) throws InterruptedException {
    try (LockClient client = Locks.open(url)) {
      for (int i = 0; i < times; i++) {
        try (Lease lease = client.lock("number").acquire(Duration.ofSeconds(60))) {
          int seen = number;
          Thread.sleep(1); // time for somebody else to come between
          number = seen + 1;
          lease.ensureHeld();
        }
      }
    }
    return null;
  }
}
