package io.leasehold.spi;

import java.util.List;

/**
 * Somebody else holds the lock. This is knowledge, not a guess: a node that does not know answers
 * {@link Failed}.
 *
 * @param remainingMillis when the lock ends unless it is extended; a hint for the waiter; {@link
 *     #UNKNOWN} when the node cannot tell
 * @param serverMicros the server's clock
 * @param answers what each node of a quorum said; empty from a single server
 */
public record Busy(long remainingMillis, long serverMicros, List<NodeAnswer> answers)
    implements GrantReply, ServerClock {

  /** The node cannot tell when the lock ends. */
  public static final long UNKNOWN = -1;

  /** Busy on a single server. */
  public Busy(long remainingMillis, long serverMicros) {
    this(remainingMillis, serverMicros, List.of());
  }
}
