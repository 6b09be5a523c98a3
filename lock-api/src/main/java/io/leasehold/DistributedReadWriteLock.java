package io.leasehold;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A lock that many readers may hold at the same time, or one writer alone. Thread-safe, cheap to
 * make, holds nothing itself.
 *
 * <p>Each reader has a lease of its own, which ends on its own. A writer's fencing token is larger
 * than that of every earlier reader and writer. Neither side starves: a writer that waits keeps new
 * readers out, and one that releases lets those readers in first who already wait.
 *
 * <p>A plain {@link LockClient#lock lock} of the same name is another lock.
 */
public interface DistributedReadWriteLock {

  /** Its name, without the client's prefix. */
  String name();

  /** The side of the readers. Its {@code asLock()} is that of {@link #asReadWriteLock()}. */
  DistributedLock readLock();

  /** The side of the writers. Its {@code asLock()} is that of {@link #asReadWriteLock()}. */
  DistributedLock writeLock();

  /**
   * Turns a writer into a reader in one step: no other writer can come between. The writer's lease
   * is over then, whatever comes of it.
   *
   * @param writer a lease of this lock's {@link #writeLock()}, of the same client
   * @return the reader's lease
   * @throws LeaseLostException when the writer's lease was lost
   * @throws LockUnavailableException when the server did not confirm it in time; what it may have
   *     given is released in the background
   * @throws IllegalArgumentException when it is not the lease of a writer of this lock
   * @throws IllegalStateException when it was released
   */
  Lease downgrade(Lease writer);

  /**
   * A view for existing code, as {@link DistributedLock#asLock()} is: re-entrant per thread on both
   * sides. A thread that holds the write lock may take the read lock too; if it then unlocks the
   * write lock first, it is a downgrade in one step. A thread that holds only the read lock cannot
   * get the write lock: {@code lock()} and the methods that wait throw {@link
   * IllegalMonitorStateException} at once, because it would wait for itself, and {@code tryLock()}
   * returns false.
   */
  ReadWriteLock asReadWriteLock();
}
