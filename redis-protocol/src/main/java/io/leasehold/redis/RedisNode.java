package io.leasehold.redis;

import io.leasehold.spi.Capability;
import io.leasehold.spi.Described;
import io.leasehold.spi.Described.Description;
import io.leasehold.spi.Findings;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.LockNode;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** What every kind of lock on the servers of a node has in common. Blocks if its port does. */
abstract class RedisNode implements LockNode {
  final Servers servers;
  private final Set<Capability> capabilities;

  RedisNode(Servers servers, Set<Capability> capabilities) {
    this.servers = servers;
    this.capabilities = Set.copyOf(capabilities);
  }

  @Override
  public final CompletionStage<IdentityReply> identity() {
    return servers.identity();
  }

  @Override
  public final Set<Capability> capabilities() {
    return capabilities;
  }

  @Override
  public final boolean blocking() {
    return servers.port().blocking();
  }

  /** For {@link Described}. */
  public final Description description() {
    return servers.description();
  }

  /** For {@link Findings}. */
  public final List<Findings.Finding> findings() {
    return servers.noticed().findings();
  }

  @Override
  public final String label() {
    return servers.label();
  }

  /** Does nothing: a further kind of lock ends with its node. */
  @Override
  public void close() {}

  @Override
  public String toString() {
    return label();
  }
}
