package io.leasehold.engine;

import io.leasehold.Leasable;
import io.leasehold.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What all kinds of lock have in common: they are acquired like a plain one. */
abstract class EngineLeasable implements Leasable {
  final EngineLock lock;

  EngineLeasable(EngineLock lock) {
    this.lock = lock;
  }

  @Override
  public final String name() {
    return lock.name();
  }

  @Override
  public final Lease acquire() throws InterruptedException {
    return lock.acquire();
  }

  @Override
  public final Lease acquire(Duration wait) throws InterruptedException {
    return lock.acquire(wait);
  }

  @Override
  public final Optional<Lease> tryAcquire() {
    return lock.tryAcquire();
  }

  @Override
  public final Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
    return lock.tryAcquire(wait);
  }

  @Override
  public final CompletableFuture<Lease> acquireAsync(Duration wait) {
    return lock.acquireAsync(wait);
  }
}
