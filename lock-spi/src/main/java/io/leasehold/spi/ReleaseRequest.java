package io.leasehold.spi;

/**
 * Gives a lock back, if it is still this owner's. Idempotent: an owner id is used for one attempt.
 *
 * @param name the lock's full name
 * @param owner the owner id under which the lock was asked for
 * @param yielding whether this client wants the lock again, but after the others: if the lock was
 *     this owner's, the client enters the waiters as with {@link Queueing#WAKE}, behind those who
 *     wait. Needs {@link Capability#WAKE_UPS}, and a {@link LockNode#watch} that is under way
 */
public record ReleaseRequest(String name, String owner, boolean yielding) {

  /** Gives a lock back for good. */
  public ReleaseRequest(String name, String owner) {
    this(name, owner, false);
  }

  @Override
  public String toString() {
    return "ReleaseRequest[" + Printable.of(name) + "]";
  }
}
