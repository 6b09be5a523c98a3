package io.leasehold;

/** How a lease ended when its holder released it. */
public enum ReleaseResult {
  /** The lease was held until this release, and the server has confirmed it. */
  RELEASED,
  /** The lease had been lost before. */
  LOST
}
