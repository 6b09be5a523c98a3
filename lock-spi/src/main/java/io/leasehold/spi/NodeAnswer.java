package io.leasehold.spi;

import java.io.Serializable;

/**
 * What one node said, as evidence for a person.
 *
 * @param node the node's label: host and port, never a credential
 * @param kind the sort of answer
 * @param detail one line more; may be empty
 */
public record NodeAnswer(String node, Kind kind, String detail) implements Serializable {

  /** The sort of an answer. */
  public enum Kind {
    GRANTED,
    BUSY,
    GUARDED,
    EXPIRED,
    FAILED,
    /** Did what it was asked for, other than a grant. */
    DONE,
    /** Did nothing, because the lock is not the owner's. */
    NOT_HELD,
    /** Not asked, or not waited for, because the outcome was clear without it. */
    NOT_AWAITED
  }

  /** What a reply says, of a node that is one server. */
  public static NodeAnswer of(String node, GrantReply reply) {
    if (reply instanceof Granted) {
      return new NodeAnswer(node, Kind.GRANTED, "");
    }
    if (reply instanceof Busy busy) {
      return new NodeAnswer(node, Kind.BUSY, "for " + busy.remainingMillis() + " ms");
    }
    if (reply instanceof Guarded guarded) {
      return of(node, guarded);
    }
    if (reply instanceof Expired expired) {
      return new NodeAnswer(
          node, Kind.EXPIRED, "its clock shows " + expired.serverMicros() + " µs");
    }
    return of(node, (Failed) reply);
  }

  /** What a guarded server says. */
  public static NodeAnswer of(String node, Guarded guarded) {
    return new NodeAnswer(
        node,
        Kind.GUARDED,
        "grants nothing for another " + guarded.remainingMillis() + " ms after a restart");
  }

  /** What a failure says. */
  public static NodeAnswer of(String node, Failed failed) {
    return new NodeAnswer(node, Kind.FAILED, failed.kind() + ": " + failed.message());
  }

  @Override
  public String toString() {
    return node + ": " + kind + (detail.isEmpty() ? "" : " (" + detail + ")");
  }
}
