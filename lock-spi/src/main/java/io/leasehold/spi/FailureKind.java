package io.leasehold.spi;

/**
 * Why a node could not answer. A kind says two things: whether the request may have been carried
 * out all the same, and whether asking again may help.
 */
public enum FailureKind {
  /** No reply in time. */
  TIMEOUT(true, true),
  /** The connection broke before the reply came. */
  CONNECTION_LOST(true, true),
  /** No connection, so nothing was sent. */
  UNREACHABLE(false, true),
  /** The server is loading its data. */
  LOADING(false, true),
  /** The server is a replica. */
  READ_ONLY(false, true),
  /** The server is out of memory. */
  OUT_OF_MEMORY(false, true),
  /** The server is busy with somebody's long script. */
  BUSY_SCRIPT(false, true),
  /** The server refuses writes: too few replicas are connected. */
  TOO_FEW_REPLICAS(false, true),
  /** The server refuses writes: it cannot persist. */
  NOT_PERSISTING(false, true),
  /** A replica that has lost its primary. */
  PRIMARY_DOWN(false, true),
  /** The cluster does not serve this name now. */
  CLUSTER_DOWN(false, true),
  /** The name has moved, or is moving, to another server. */
  MOVED(false, true),
  /** Too many requests are waiting in this client for the node. */
  OVERLOADED(false, true),
  /** Fewer nodes than a quorum could answer. */
  NO_QUORUM(true, true),
  /** Not logged in, or with a wrong password. */
  NOT_AUTHENTICATED(false, false),
  /** Logged in, but a permission is missing. */
  NO_PERMISSION(false, false),
  /** Something that is not a lock of this layout has the lock's name. */
  WRONG_TYPE(false, false),
  /** The server is set up so that it may drop locks, and the guard is on. */
  UNSAFE(false, false),
  /** The reply cannot be understood. */
  PROTOCOL(true, false),
  /** The node has been closed. */
  CLOSED(false, false),
  /** Anything else. */
  OTHER(true, false);

  private final boolean ambiguous;
  private final boolean transientFailure;

  FailureKind(boolean ambiguous, boolean transientFailure) {
    this.ambiguous = ambiguous;
    this.transientFailure = transientFailure;
  }

  /** Whether the request may have been carried out, now or later. */
  public boolean isAmbiguous() {
    return ambiguous;
  }

  /** Whether the same request may succeed later with nothing changed by a person. */
  public boolean isTransient() {
    return transientFailure;
  }
}
