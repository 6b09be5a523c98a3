package io.leasehold.engine;

import io.leasehold.spi.Capability;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.ListReply;
import io.leasehold.spi.Listed;
import io.leasehold.spi.LockListing;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.Released;
import io.leasehold.spi.Semaphores;
import io.leasehold.spi.SeveralLocks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A scripted node whose views are scripted, too. */
final class KindsNode extends ForwardingNode
    implements ReadWriteLocks, Semaphores, SeveralLocks, LockListing, ForcedRelease {
  final HandingNode readers;
  final ScriptedNode reads;
  final ScriptedNode writers;
  final Map<Integer, ScriptedNode> permits = new ConcurrentHashMap<>();
  final Map<List<String>, ScriptedNode> sets = new ConcurrentHashMap<>();
  final Map<String, Inspection> inspections = new ConcurrentHashMap<>();
  final List<String> patterns = new CopyOnWriteArrayList<>();
  volatile ReleaseReply onForce;
  private final VirtualTime time;

  KindsNode(ScriptedNode node, VirtualTime time) {
    super(node);
    this.time = time;
    this.reads = new ScriptedNode(time);
    this.readers = new HandingNode(reads, Capability.WAKE_UPS);
    this.writers = new ScriptedNode(time);
    this.onForce = new Released(node.micros());
  }

  @Override
  public LockNode readers() {
    return readers;
  }

  @Override
  public LockNode writers() {
    return writers;
  }

  @Override
  public LockNode permits(int number) {
    return permits.computeIfAbsent(number, n -> new ScriptedNode(time));
  }

  @Override
  public LockNode all(List<String> names) {
    return sets.computeIfAbsent(names, n -> new ScriptedNode(time));
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return ScriptedNode.done(
        inspections.getOrDefault(name, new Inspection(Optional.empty(), 0, 0, 1)));
  }

  @Override
  public CompletionStage<ListReply> list(String pattern, int limit) {
    patterns.add(pattern);
    return ScriptedNode.done(new Listed(List.copyOf(inspections.keySet()), true));
  }

  @Override
  public CompletionStage<ReleaseReply> forceRelease(String name) {
    return ScriptedNode.done(onForce);
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.FENCING);
  }
}
