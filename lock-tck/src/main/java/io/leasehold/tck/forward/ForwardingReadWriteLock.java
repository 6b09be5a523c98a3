package io.leasehold.tck.forward;

import io.leasehold.DistributedLock;
import io.leasehold.DistributedReadWriteLock;
import io.leasehold.Lease;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.UnaryOperator;

/** Passes everything on, with something around each side of its view. */
public final class ForwardingReadWriteLock implements DistributedReadWriteLock {
  private final DistributedReadWriteLock lock;
  private final UnaryOperator<Lock> readers;
  private final UnaryOperator<Lock> writers;

  /** Around a lock, with something around the views of its readers and of its writers. */
  public ForwardingReadWriteLock(
      DistributedReadWriteLock lock, UnaryOperator<Lock> readers, UnaryOperator<Lock> writers) {
    this.lock = lock;
    this.readers = readers;
    this.writers = writers;
  }

  @Override
  public String name() {
    return lock.name();
  }

  @Override
  public DistributedLock readLock() {
    return lock.readLock();
  }

  @Override
  public DistributedLock writeLock() {
    return lock.writeLock();
  }

  @Override
  public Lease downgrade(Lease writer) {
    return lock.downgrade(writer);
  }

  @Override
  public ReadWriteLock asReadWriteLock() {
    ReadWriteLock view = lock.asReadWriteLock();
    return new ReadWriteLock() {
      @Override
      public Lock readLock() {
        return readers.apply(view.readLock());
      }

      @Override
      public Lock writeLock() {
        return writers.apply(view.writeLock());
      }
    };
  }
}
