package io.leasehold.engine;

import io.leasehold.DistributedSemaphore;
import io.leasehold.spi.Printable;

/** A semaphore by its name. */
final class EngineSemaphore extends EngineLeasable implements DistributedSemaphore {
  private final int permits;

  EngineSemaphore(EngineLock lock, int permits) {
    super(lock);
    this.permits = permits;
  }

  @Override
  public int permits() {
    return permits;
  }

  @Override
  public String toString() {
    return "DistributedSemaphore[" + Printable.of(name()) + ", " + permits + " permits]";
  }
}
