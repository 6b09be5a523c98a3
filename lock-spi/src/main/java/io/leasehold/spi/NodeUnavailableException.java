package io.leasehold.spi;

/** A node could not be opened: the server does not answer, or must not be used for locks. */
public final class NodeUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String node;
  private final FailureKind kind;

  /**
   * @param node the node's label, without credentials
   * @param failure why
   */
  public NodeUnavailableException(String node, Failed failure) {
    super(node + ": " + failure.message(), failure.cause().orElse(null));
    this.node = node;
    this.kind = failure.kind();
  }

  /** The node's label. */
  public String node() {
    return node;
  }

  /** Why the node could not be opened. */
  public FailureKind kind() {
    return kind;
  }
}
