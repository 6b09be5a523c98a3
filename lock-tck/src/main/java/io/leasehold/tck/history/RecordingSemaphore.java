package io.leasehold.tck.history;

import io.leasehold.DistributedSemaphore;

/** A semaphore, every acquisition of which is written down. */
final class RecordingSemaphore extends RecordingLeasable implements DistributedSemaphore {
  private final DistributedSemaphore semaphore;

  RecordingSemaphore(DistributedSemaphore semaphore, ClientLog log, ClientLog.Target target) {
    super(semaphore, log, target);
    this.semaphore = semaphore;
  }

  @Override
  public int permits() {
    return semaphore.permits();
  }
}
