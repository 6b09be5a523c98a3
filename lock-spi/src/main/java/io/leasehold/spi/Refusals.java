package io.leasehold.spi;

import java.util.Optional;

/**
 * Offered by a node that does without a capability for a reason worth telling: whoever asks for it
 * all the same is shown that reason.
 */
public interface Refusals {

  /**
   * Why the node does not have a capability.
   *
   * @return one sentence for a person, without a full stop; empty when there is nothing to add
   */
  Optional<String> whyNot(Capability capability);
}
