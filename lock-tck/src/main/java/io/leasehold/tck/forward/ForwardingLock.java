package io.leasehold.tck.forward;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;

/** Passes everything on; a subclass may put something around each lease. */
public class ForwardingLock implements DistributedLock {
  private final DistributedLock lock;

  /** Around a lock. */
  public ForwardingLock(DistributedLock lock) {
    this.lock = lock;
  }

  /** Puts something around a lease. */
  protected Lease around(Lease lease) {
    return lease;
  }

  @Override
  public String name() {
    return lock.name();
  }

  @Override
  public Lease acquire() throws InterruptedException {
    return around(lock.acquire());
  }

  @Override
  public Lease acquire(Duration wait) throws InterruptedException {
    return around(lock.acquire(wait));
  }

  @Override
  public Optional<Lease> tryAcquire() {
    return lock.tryAcquire().map(this::around);
  }

  @Override
  public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
    return lock.tryAcquire(wait).map(this::around);
  }

  @Override
  public CompletableFuture<Lease> acquireAsync(Duration wait) {
    return lock.acquireAsync(wait);
  }

  @Override
  public Lock asLock() {
    return lock.asLock();
  }
}
