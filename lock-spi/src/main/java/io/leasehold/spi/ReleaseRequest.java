package io.leasehold.spi;

/**
 * Gives a lock back, if it is still this owner's. Idempotent: an owner id is used for one attempt.
 *
 * @param name the lock's full name
 * @param owner the owner id under which the lock was asked for
 */
public record ReleaseRequest(String name, String owner) {

  @Override
  public String toString() {
    return "ReleaseRequest[" + name + "]";
  }
}
