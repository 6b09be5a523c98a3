package io.leasehold.tck.control;

import io.leasehold.DistributedLock;
import io.leasehold.LockClient;
import io.leasehold.LockOptions;

/** Passes everything on; a subclass may put something around each lock. */
class ForwardingClient implements LockClient {
  private final LockClient client;

  ForwardingClient(LockClient client) {
    this.client = client;
  }

  /** Puts something around a lock. */
  protected DistributedLock around(DistributedLock lock) {
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
  public void close() {
    client.close();
  }

  @Override
  public String toString() {
    return client.toString();
  }
}
