package io.leasehold.engine;

import io.leasehold.DistributedLock;
import io.leasehold.DistributedReadWriteLock;
import io.leasehold.Lease;
import io.leasehold.spi.Printable;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Supplier;

/** A read-write lock by its name: two locks, of which the node knows that they belong together. */
final class EngineReadWriteLock implements DistributedReadWriteLock {
  private final EngineLock readers;
  private final EngineLock writers;
  private final ThreadReadWriteLock view;

  EngineReadWriteLock(EngineLock readers, EngineLock writers) {
    this.readers = readers;
    this.writers = writers;
    this.view = new ThreadReadWriteLock(readers, writers);
  }

  @Override
  public String name() {
    return writers.name();
  }

  @Override
  public DistributedLock readLock() {
    return new Side(readers, view::readLock);
  }

  @Override
  public DistributedLock writeLock() {
    return new Side(writers, view::writeLock);
  }

  @Override
  public Lease downgrade(Lease writer) {
    if (writer instanceof HeldLease held
        && held.lock().engine() == writers.engine()
        && held.lock().key().equals(writers.key())) {
      return Downgrade.of(held, readers);
    }
    throw new IllegalArgumentException(
        "Not the lease of a writer of the read-write lock '"
            + Printable.of(name())
            + "' of this client");
  }

  @Override
  public ReadWriteLock asReadWriteLock() {
    return view;
  }

  @Override
  public String toString() {
    return "DistributedReadWriteLock[" + Printable.of(name()) + "]";
  }

  /** One side, with its part of the thread-bound view. */
  private static final class Side extends EngineLeasable implements DistributedLock {
    private final Supplier<Lock> view;

    private Side(EngineLock lock, Supplier<Lock> view) {
      super(lock);
      this.view = view;
    }

    @Override
    public Lock asLock() {
      return view.get();
    }

    @Override
    public String toString() {
      return lock.toString();
    }
  }
}
