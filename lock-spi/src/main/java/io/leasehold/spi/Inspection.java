package io.leasehold.spi;

import java.util.List;
import java.util.Optional;

/**
 * What a node knows about a lock.
 *
 * @param holders who holds it: one at most, unless the lock is one that is shared
 * @param fence the highest token given out for this name as far as the node remembers; 0 for none
 * @param waiters how many clients are entered as waiting
 * @param serverMicros the server's clock
 */
public record Inspection(List<Holder> holders, long fence, int waiters, long serverMicros)
    implements InspectReply, ServerClock {

  /** About a lock that one can hold. */
  public Inspection(Optional<Holder> holder, long fence, int waiters, long serverMicros) {
    this(holder.map(List::of).orElse(List.of()), fence, waiters, serverMicros);
  }

  /** Who holds it, if anybody does; of several, the first. */
  public Optional<Holder> holder() {
    return holders.stream().findFirst();
  }

  /**
   * The holder of a lock.
   *
   * @param owner the owner id
   * @param remainingMillis when the lock ends unless it is extended; {@link #NO_EXPIRY} if never
   * @param client who that is, as far as the node knows
   */
  public record Holder(String owner, long remainingMillis, Optional<ClientInfo> client) {

    /** A lock without an expiry: somebody else's, or a fault. */
    public static final long NO_EXPIRY = -1;

    /** A holder of whom nothing else is known. */
    public Holder(String owner, long remainingMillis) {
      this(owner, remainingMillis, Optional.empty());
    }

    /** Without the owner id: whoever knows it can release the lock. */
    @Override
    public String toString() {
      return "Holder[" + remainingMillis + " ms, " + client + "]";
    }
  }
}
