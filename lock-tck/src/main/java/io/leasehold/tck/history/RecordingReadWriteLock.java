package io.leasehold.tck.history;

import io.leasehold.DistributedLock;
import io.leasehold.DistributedReadWriteLock;
import io.leasehold.Lease;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/** A read-write lock, every acquisition of which is written down. */
final class RecordingReadWriteLock implements DistributedReadWriteLock {
  private final DistributedReadWriteLock lock;
  private final ClientLog log;
  private final RecordingViews views;
  private final ClientLog.Target reading;
  private final ClientLog.Target writing;

  RecordingReadWriteLock(
      DistributedReadWriteLock lock, ClientLog log, String name, RecordingViews views) {
    this.lock = lock;
    this.log = log;
    this.views = views;
    this.reading = new ClientLog.Target(LockKind.READ.word(), Names.encoded(name));
    this.writing = new ClientLog.Target(LockKind.WRITE.word(), Names.encoded(name));
  }

  @Override
  public String name() {
    return lock.name();
  }

  @Override
  public DistributedLock readLock() {
    return new RecordingLock(lock.readLock(), log, reading, views);
  }

  @Override
  public DistributedLock writeLock() {
    return new RecordingLock(lock.writeLock(), log, writing, views);
  }

  /**
   * The end of one lease and the beginning of another: one line for both, and one for the result.
   */
  @Override
  public Lease downgrade(Lease writer) {
    if (!(writer instanceof RecordingLease known)) {
      return lock.downgrade(writer); // of no recorded client: it will be refused
    }
    long call = log.nextId();
    if (!known.beginEnd(Words.DOWNGRADE, call + " ")) {
      return lock.downgrade(known.unwrapped()); // it has been released before: this throws
    }
    return log.recorded(call, () -> lock.downgrade(known.unwrapped()));
  }

  @Override
  public ReadWriteLock asReadWriteLock() {
    ReadWriteLock view = lock.asReadWriteLock();
    return new ReadWriteLock() {
      @Override
      public Lock readLock() {
        return views.around(view.readLock(), reading);
      }

      @Override
      public Lock writeLock() {
        return views.around(view.writeLock(), writing);
      }
    };
  }
}
