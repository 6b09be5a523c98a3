package io.leasehold.spi;

/**
 * Pushes the end of a lock out, if it is still this owner's. Never creates anything.
 *
 * @param name the lock's full name
 * @param owner the owner id under which the lock was granted
 * @param ttlMillis how long the lock shall live from now on; positive
 */
public record ExtendRequest(String name, String owner, long ttlMillis) {

  @Override
  public String toString() {
    return "ExtendRequest[" + Printable.of(name) + ", ttl " + ttlMillis + " ms]";
  }
}
