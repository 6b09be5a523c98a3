package io.leasehold;

/** How a lease ended when its holder released it. */
public enum ReleaseResult {
  /**
   * The lease was held until this release. The server has confirmed it; or the lock has gone on to
   * another call of this client, a few milliseconds after the server granted it.
   */
  RELEASED,
  /** The lease had been lost before. */
  LOST
}
