package io.leasehold;

/** A connection to where locks are kept. Thread-safe; one per application is enough. */
public interface LockClient extends AutoCloseable {

  /**
   * A lock by its name, with the options of the client's URL. Sends nothing.
   *
   * @param name any text that is not blank, up to 1,024 bytes of UTF-8 together with the client's
   *     prefix, that does not begin with {@code leasehold:}
   * @throws LockConfigurationException when the name cannot be used
   */
  DistributedLock lock(String name);

  /**
   * A lock by its name.
   *
   * @throws LockConfigurationException when the name or an option cannot be used
   */
  DistributedLock lock(String name, LockOptions options);

  /**
   * Ends the client: waiting calls fail with {@link LockClosedException}, leases are released
   * (their holders are told {@link LossReason#CLIENT_CLOSED}), threads and connections end.
   * Idempotent; waits for a bounded time (a few command timeouts) until the releases are confirmed.
   */
  @Override
  void close();
}
