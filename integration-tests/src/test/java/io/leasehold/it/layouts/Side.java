package io.leasehold.it.layouts;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import java.time.Duration;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** A client of one kind or the other, as somebody sees it who only wants a lock. */
interface Side extends AutoCloseable {

  /** Something that holds the lock while it runs. */
  interface Section {

    /** Returns whether the lock was still held at its end. */
    boolean run(Holding holding);
  }

  /** Asks whether the lock is held. */
  interface Holding {
    boolean isHeld();
  }

  /** Waits for the lock, runs the section, and gives it back. */
  void locked(String name, Section section) throws InterruptedException;

  @Override
  void close();

  /** Which one: {@code redisson} or the name of a driver of ours. */
  static Side open(String kind, int port) {
    return kind.equals("redisson")
        ? redisson(Redissons.at(port))
        : ours(Locks.open(Driver.valueOf(kind).at(port, "layout=redisson", "connectTimeout=30s")));
  }

  private static Side redisson(RedissonClient client) {
    return new Side() {
      @Override
      public void locked(String name, Section section) {
        RLock lock = client.getLock(name);
        lock.lock();
        try {
          section.run(lock::isHeldByCurrentThread);
        } finally {
          lock.unlock();
        }
      }

      @Override
      public void close() {
        client.shutdown();
      }
    };
  }

  private static Side ours(LockClient client) {
    return new Side() {
      @Override
      public void locked(String name, Section section) throws InterruptedException {
        DistributedLock lock = client.lock(name);
        try (Lease lease = lock.acquire(Duration.ofSeconds(60))) {
          section.run(lease::isHeld);
        }
      }

      @Override
      public void close() {
        client.close();
      }
    };
  }
}
