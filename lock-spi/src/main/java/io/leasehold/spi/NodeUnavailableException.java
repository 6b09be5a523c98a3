package io.leasehold.spi;

import java.util.List;

/** A node could not be opened: the server does not answer, or must not be used for locks. */
public final class NodeUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String node;
  private final FailureKind kind;
  private final transient List<NodeAnswer> answers;

  /**
   * @param node the node's label, without credentials
   * @param failure why
   */
  public NodeUnavailableException(String node, Failed failure) {
    super(node + ": " + failure.message(), failure.cause().orElse(null));
    this.node = node;
    this.kind = failure.kind();
    this.answers = failure.answers();
  }

  /** The node's label. */
  public String node() {
    return node;
  }

  /** What each node of a quorum said; empty for a single server. */
  public List<NodeAnswer> answers() {
    return answers == null ? List.of() : answers; // null after serialization
  }

  /** Why the node could not be opened. */
  public FailureKind kind() {
    return kind;
  }
}
