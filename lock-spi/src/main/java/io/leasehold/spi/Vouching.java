package io.leasehold.spi;

import java.util.concurrent.CompletionStage;

/**
 * A capability of a node with {@link Capability#GUARD}: somebody who knows that its servers are
 * new, and that no lease which they have lost can be alive, vouches for them. They then grant at
 * once.
 */
public interface Vouching {

  /** Vouches for all servers of this node, as they are now. */
  CompletionStage<VouchReply> vouch();
}
