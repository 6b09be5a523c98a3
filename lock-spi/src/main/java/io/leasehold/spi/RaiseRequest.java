package io.leasehold.spi;

/**
 * The second round of a quorum: lift the fence of a lock that this owner holds to a token.
 *
 * @param name the lock's full name
 * @param owner the owner id under which the lock was granted
 * @param token the token to which the fence shall be lifted
 */
public record RaiseRequest(String name, String owner, long token) {

  @Override
  public String toString() {
    return "RaiseRequest[" + Printable.of(name) + ", token " + token + "]";
  }
}
