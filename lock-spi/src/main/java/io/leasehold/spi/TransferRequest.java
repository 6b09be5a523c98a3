package io.leasehold.spi;

/**
 * Hands a lock over inside one client: release by one owner and grant to the next in one step.
 *
 * <p>Places of a fair line do not stop it: a client does not hand a fair lock over.
 *
 * <p>The client counts {@code from} as not held from before it sends this. When the reply is lost
 * it releases both owners.
 *
 * @param name the lock's full name
 * @param from the owner id that holds the lock
 * @param to the fresh owner id of the next lease
 * @param ttlMillis how long the lock lives for the next owner
 * @param proposal as in {@link GrantRequest#proposal()}
 */
public record TransferRequest(String name, String from, String to, long ttlMillis, long proposal) {

  @Override
  public String toString() {
    return "TransferRequest[" + Printable.of(name) + ", ttl " + ttlMillis + " ms]";
  }
}
