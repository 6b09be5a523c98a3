package io.leasehold.spi;

import java.util.concurrent.CompletionStage;

/**
 * A capability of a node: an operator takes a lock away from whoever holds it. The holder is told:
 * its next extension or release answers {@link NotHeld} with {@link NotHeld.Cause#FORCED}.
 */
public interface ForcedRelease {

  /** Ends the lock, whoever holds it. {@link NotHeld} when nobody does. */
  CompletionStage<ReleaseReply> forceRelease(String name);
}
