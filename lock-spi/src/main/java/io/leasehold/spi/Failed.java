package io.leasehold.spi;

import java.util.List;
import java.util.Optional;

/**
 * The node does not know, or could not do it. Never means busy, never means held.
 *
 * @param kind what went wrong
 * @param message for a person; never contains a secret
 * @param cause what the driver threw, if anything
 * @param answers what each node of a quorum said; empty from a single server
 */
public record Failed(
    FailureKind kind, String message, Optional<Throwable> cause, List<NodeAnswer> answers)
    implements GrantReply,
        RaiseReply,
        ReleaseReply,
        ExtendReply,
        TransferReply,
        InspectReply,
        IdentityReply,
        WatchReply,
        VouchReply,
        LeaveReply,
        ListReply {

  /** A failure of a single server without a cause worth keeping. */
  public Failed(FailureKind kind, String message) {
    this(kind, message, Optional.empty(), List.of());
  }

  /** A failure of a single server. */
  public Failed(FailureKind kind, String message, Throwable cause) {
    this(kind, message, Optional.of(cause), List.of());
  }
}
