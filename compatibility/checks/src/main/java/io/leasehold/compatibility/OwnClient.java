package io.leasehold.compatibility;

import io.leasehold.LocksBuilder;

/** A client of the driver that belongs to the application, with locks on it. */
interface OwnClient extends AutoCloseable {

  /** Locks that use the application's client. */
  LocksBuilder locks();

  @Override
  void close();
}
