package io.leasehold.redis;

import io.leasehold.spi.Capability;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.LockNode;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Another kind of lock on the servers of a node: what all of them have from the node. */
abstract class View implements LockNode {
  private final LockNode node;
  private final Set<Capability> capabilities;

  /**
   * @param more what the view serves, beyond what every view does
   */
  View(LockNode node, Capability... more) {
    this.node = node;
    Set<Capability> all = EnumSet.of(Capability.FENCING, Capability.WAKE_UPS);
    all.addAll(List.of(more));
    if (node.capabilities().contains(Capability.GUARD)) {
      all.add(Capability.GUARD);
    }
    this.capabilities = Set.copyOf(all);
  }

  @Override
  public final CompletionStage<IdentityReply> identity() {
    return node.identity();
  }

  @Override
  public final Set<Capability> capabilities() {
    return capabilities;
  }

  @Override
  public final boolean blocking() {
    return node.blocking();
  }

  @Override
  public final String label() {
    return node.label();
  }

  /** Does nothing: a view ends with its node. */
  @Override
  public final void close() {}

  @Override
  public String toString() {
    return getClass().getSimpleName() + "[" + node.label() + "]";
  }
}
