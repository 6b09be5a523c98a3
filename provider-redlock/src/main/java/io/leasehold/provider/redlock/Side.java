package io.leasehold.provider.redlock;

import io.leasehold.spi.LockNode;
import io.leasehold.spi.ReadWriteLocks;
import java.util.Optional;

/**
 * Which locks of its members a quorum is about: their plain ones, or one side of their read-write
 * locks. All are asked for by the same rules, with the same connections.
 */
enum Side {
  PLAIN,
  READERS,
  WRITERS;

  /** These locks of a node; empty when it has none. */
  Optional<LockNode> of(LockNode node) {
    return switch (this) {
      case PLAIN -> Optional.of(node);
      case READERS -> node.offer(ReadWriteLocks.class).map(ReadWriteLocks::readers);
      case WRITERS -> node.offer(ReadWriteLocks.class).map(ReadWriteLocks::writers);
    };
  }

  /** Where the one holds who hands over to one of this side: a reader comes after a writer. */
  Side before() {
    return this == READERS ? WRITERS : this;
  }
}
