package io.leasehold.spi;

/**
 * Asks for a lock.
 *
 * @param name the lock's full name
 * @param owner the owner id of this attempt: fresh for every attempt, unpredictable to others
 * @param ttlMillis how long the lock lives on the server unless it is extended; positive
 * @param proposal the fencing token that the client proposes: an estimate of the server's clock in
 *     microseconds, or one more than the highest token that it has seen for this lock
 * @param notAfter a moment on the server's clock, in microseconds, after which this request must
 *     grant nothing; {@link #NO_DEADLINE} when the server's clock is not known yet
 * @param queueing what to do about waiting when the lock is busy
 * @param place with {@link Queueing#FAIR}: which of the client's waiting calls asks, the same for
 *     each attempt of one call; {@link #NO_PLACE} for a call that does not wait
 */
public record GrantRequest(
    String name,
    String owner,
    long ttlMillis,
    long proposal,
    long notAfter,
    Queueing queueing,
    String place) {

  /** Not in the line: who asks like this gets a fair lock only when nobody else has its turn. */
  public static final String NO_PLACE = "";

  /** A request that takes no place in a fair line. */
  public GrantRequest(
      String name, String owner, long ttlMillis, long proposal, long notAfter, Queueing queueing) {
    this(name, owner, ttlMillis, proposal, notAfter, queueing, NO_PLACE);
  }

  /** No deadline on the server's clock. */
  public static final long NO_DEADLINE = (1L << 53) - 1;

  @Override
  public String toString() {
    return "GrantRequest[" + Printable.of(name) + ", ttl " + ttlMillis + " ms, " + queueing + "]";
  }
}
