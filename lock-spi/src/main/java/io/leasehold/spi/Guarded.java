package io.leasehold.spi;

import java.util.List;

/**
 * The server may have lost leases that are still alive (it restarted, or was promoted), so it
 * grants nothing for a while. Extending and releasing go on.
 *
 * @param remainingMillis how long it will go on refusing
 * @param serverMicros the server's clock
 * @param answers what each node of a quorum said; empty from a single server
 */
public record Guarded(long remainingMillis, long serverMicros, List<NodeAnswer> answers)
    implements GrantReply, RaiseReply, TransferReply, ServerClock {

  /** Guarded by a single server. */
  public Guarded(long remainingMillis, long serverMicros) {
    this(remainingMillis, serverMicros, List.of());
  }
}
