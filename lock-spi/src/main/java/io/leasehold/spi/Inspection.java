package io.leasehold.spi;

import java.util.Optional;

/**
 * What a node knows about a lock.
 *
 * @param holder who holds it, if anybody does
 * @param fence the highest token given out for this name as far as the node remembers; 0 for none
 * @param waiters how many clients are entered as waiting
 * @param serverMicros the server's clock
 */
public record Inspection(Optional<Holder> holder, long fence, int waiters, long serverMicros)
    implements InspectReply, ServerClock {

  /**
   * The holder of a lock.
   *
   * @param owner the owner id
   * @param remainingMillis when the lock ends unless it is extended; {@link #NO_EXPIRY} if never
   */
  public record Holder(String owner, long remainingMillis) {

    /** A lock without an expiry: somebody else's, or a fault. */
    public static final long NO_EXPIRY = -1;

    /** Without the owner id: whoever knows it can release the lock. */
    @Override
    public String toString() {
      return "Holder[" + remainingMillis + " ms]";
    }
  }
}
