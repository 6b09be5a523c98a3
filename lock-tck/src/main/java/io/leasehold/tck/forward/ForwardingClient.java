package io.leasehold.tck.forward;

import io.leasehold.DistributedLock;
import io.leasehold.DistributedReadWriteLock;
import io.leasehold.DistributedSemaphore;
import io.leasehold.LockClient;
import io.leasehold.LockOptions;
import io.leasehold.LockStatus;
import java.util.Collection;
import java.util.List;

/** Passes everything on; a subclass may put something around each lock, of whichever kind. */
public class ForwardingClient implements LockClient {
  private final LockClient client;

  /** Around a client. */
  public ForwardingClient(LockClient client) {
    this.client = client;
  }

  /** Puts something around a lock. */
  protected DistributedLock around(DistributedLock lock) {
    return lock;
  }

  /** Puts something around a read-write lock. */
  protected DistributedReadWriteLock around(DistributedReadWriteLock lock) {
    return lock;
  }

  @Override
  public DistributedLock lock(String name) {
    return around(client.lock(name));
  }

  @Override
  public DistributedLock lock(String name, LockOptions options) {
    return around(client.lock(name, options));
  }

  @Override
  public DistributedReadWriteLock readWriteLock(String name) {
    return around(client.readWriteLock(name));
  }

  @Override
  public DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
    return around(client.readWriteLock(name, options));
  }

  @Override
  public DistributedSemaphore semaphore(String name, int permits) {
    return client.semaphore(name, permits);
  }

  @Override
  public DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
    return client.semaphore(name, permits, options);
  }

  @Override
  public DistributedLock all(String... names) {
    return around(client.all(names));
  }

  @Override
  public DistributedLock all(Collection<String> names, LockOptions options) {
    return around(client.all(names, options));
  }

  @Override
  public LockStatus inspect(String name) {
    return client.inspect(name);
  }

  @Override
  public List<LockStatus> list(String pattern, int limit) {
    return client.list(pattern, limit);
  }

  @Override
  public LockStatus forceRelease(String name, String why) {
    return client.forceRelease(name, why);
  }

  @Override
  public void close() {
    client.close();
  }

  @Override
  public String toString() {
    return client.toString();
  }
}
