package io.leasehold.it.layouts;

/** A client of code that polls for a lock. For one thread. */
interface OldClient extends AutoCloseable {

  /** Whether it has the lock now. */
  boolean tryLock(String name, long timeoutMillis);

  void unlock(String name);

  @Override
  void close();
}
