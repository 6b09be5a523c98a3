package io.leasehold;

import java.util.Collection;
import java.util.List;

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
   * A read-write lock by its name, with the options of the client's URL. Sends nothing. It has
   * nothing to do with a plain lock of the same name.
   *
   * @throws LockConfigurationException when the name cannot be used
   * @throws LockCapabilityException when the provider has no read-write locks
   */
  DistributedReadWriteLock readWriteLock(String name);

  /**
   * A read-write lock by its name.
   *
   * @throws LockConfigurationException when the name or an option cannot be used
   * @throws LockCapabilityException when the provider has no read-write locks
   */
  DistributedReadWriteLock readWriteLock(String name, LockOptions options);

  /**
   * A semaphore by its name, with the options of the client's URL. Sends nothing. It has nothing to
   * do with a lock of the same name.
   *
   * @param permits how many may be held at the same time, from 1 to 100,000
   * @throws LockConfigurationException when the name or the number cannot be used
   * @throws LockCapabilityException when the provider has no semaphores
   */
  DistributedSemaphore semaphore(String name, int permits);

  /**
   * A semaphore by its name.
   *
   * @throws LockConfigurationException when the name, the number or an option cannot be used
   * @throws LockCapabilityException when the provider has no semaphores
   */
  DistributedSemaphore semaphore(String name, int permits, LockOptions options);

  /**
   * Several locks at once, all or none: the same locks as those that are asked for one by one. Any
   * order of names will do; sets that overlap cannot lock each other out. Its lease has one fencing
   * token, larger than every earlier one of each of the locks, and is lost when one of them is.
   *
   * @param names from 1 to 64 names; a name that comes twice counts once
   * @throws LockConfigurationException when a name cannot be used
   */
  DistributedLock all(String... names);

  /**
   * Several locks at once, all or none.
   *
   * @throws LockConfigurationException when a name or an option cannot be used
   */
  DistributedLock all(Collection<String> names, LockOptions options);

  /**
   * Asks the servers who holds a lock, and changes nothing.
   *
   * @throws LockUnavailableException when they could not tell
   */
  LockStatus inspect(String name);

  /**
   * Asks the servers which plain locks are held, and who holds them. Does not stop a server for
   * more than a moment, however many keys it has; what changes meanwhile may or may not be told.
   *
   * @param pattern of names without the client's prefix: {@code *} for any text, {@code ?} for any
   *     character, {@code [a-c]} for one of these, {@code \\} before a character that means itself
   * @param limit how many at most
   * @throws LockCapabilityException when the provider cannot tell
   * @throws LockUnavailableException when the servers could not tell
   */
  List<LockStatus> list(String pattern, int limit);

  /**
   * Takes a lock away from whoever holds it. For operators: what the holder is doing goes on until
   * it looks at its lease, so be sure that it is dead, or that its writes are fenced. The holder is
   * told {@link LossReason#FORCED}. Who did it, to whom and why is logged, and told to every {@link
   * LockListener} of this client.
   *
   * @param why for the log
   * @return what was known about the lock before; its holder is empty when there was none to be
   *     taken away from
   * @throws LockCapabilityException when the provider cannot do it
   * @throws LockUnavailableException when the servers did not confirm it
   */
  LockStatus forceRelease(String name, String why);

  /**
   * Ends the client: waiting calls fail with {@link LockClosedException}, leases are released
   * (their holders are told {@link LossReason#CLIENT_CLOSED}), threads and connections end.
   * Idempotent; waits for a bounded time (a few command timeouts) until the releases are confirmed.
   */
  @Override
  void close();
}
