package io.leasehold.examples.first;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockTimeoutException;
import io.leasehold.Locks;
import java.time.Duration;
import java.util.Optional;

/** Takes a lock, shows that nobody else gets it meanwhile, gives it back. */
public final class PlainJava {
  private PlainJava() {}

  /** Takes a lock URL, or nothing. */
  public static void main(String[] args) throws InterruptedException {
    try (Place place = Place.of(args);
        LockClient locks = Locks.open(place.url());
        LockClient elsewhere = Locks.open(place.url())) { // as in another process
      DistributedLock lock = locks.lock("order:42");
      DistributedLock same = elsewhere.lock("order:42");

      try (Lease lease = lock.acquire(Duration.ofSeconds(5))) {
        System.out.println("held, with a token of its own: " + (lease.fencingToken() > 0));

        Optional<Lease> second = same.tryAcquire(); // never waits for a holder
        System.out.println("somebody else gets it: " + second.isPresent());
        try {
          same.acquire(Duration.ofMillis(100)).close();
        } catch (LockTimeoutException busy) {
          System.out.println("somebody else waited in vain");
        }
        lease.ensureHeld(); // throws if it was lost meanwhile
      }

      try (Lease next = same.acquire(Duration.ofSeconds(5))) {
        System.out.println("afterwards: " + next.isHeld());
      }
    }
  }
}
