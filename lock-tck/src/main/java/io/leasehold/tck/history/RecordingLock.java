package io.leasehold.tck.history;

import io.leasehold.DistributedLock;
import java.util.concurrent.locks.Lock;

/** A lock, every acquisition of which is written down. */
final class RecordingLock extends RecordingLeasable implements DistributedLock {
  private final DistributedLock lock;
  private final RecordingViews views;

  RecordingLock(
      DistributedLock lock, ClientLog log, ClientLog.Target target, RecordingViews views) {
    super(lock, log, target);
    this.lock = lock;
    this.views = views;
  }

  @Override
  public Lock asLock() {
    return views.around(lock.asLock(), target);
  }
}
