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
    /** Not asked, or not waited for, because the outcome was clear without it. */
    NOT_AWAITED
  }

  @Override
  public String toString() {
    return node + ": " + kind + (detail.isEmpty() ? "" : " (" + detail + ")");
  }
}
