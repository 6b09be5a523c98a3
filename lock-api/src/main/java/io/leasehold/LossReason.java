package io.leasehold;

/** Why a lease ended before its holder released it. */
public enum LossReason {
  /** The lease time passed, and renewal was off. */
  EXPIRED("its lease time passed, and renewal is off"),
  /** No renewal succeeded before the validity ran out. */
  RENEWAL_FAILED("it could not be renewed before its validity ran out"),
  /** The server no longer knows this lease: it ended there, or somebody else holds the lock. */
  TAKEN("the server no longer holds it for this owner"),
  /** An operator released it by force. */
  FORCED("it was released by force"),
  /** The maximum hold time was reached. */
  MAX_HOLD("its maximum hold time was reached"),
  /** The client was closed. */
  CLIENT_CLOSED("its client was closed");

  private final String description;

  LossReason(String description) {
    this.description = description;
  }

  /** Half a sentence for a person. */
  public String description() {
    return description;
  }
}
