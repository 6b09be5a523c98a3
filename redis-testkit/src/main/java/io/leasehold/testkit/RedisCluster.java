package io.leasehold.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A Redis Cluster of real nodes, which can be killed, paused and restarted (with their data: a node
 * that loses them comes back as a stranger). The nodes find out about the dead by themselves and
 * promote their replicas.
 *
 * <p>What this class tells about roles and slots is what the nodes say at that moment; while roles
 * change, {@link #awaitMasterOf} is the way to wait for an end of it.
 *
 * <p>Thread-safety: as that of {@link RedisServer}.
 */
public final class RedisCluster implements AutoCloseable {

  /** How many slots a cluster has. */
  public static final int SLOTS = 16_384;

  /** How a replica takes the place of its master. */
  public enum Failover {
    /** In agreement with the master: nothing is lost. */
    ORDERLY,
    /** By election, without asking the master, which may be dead. */
    FORCE,
    /** By itself, without asking anybody. */
    TAKEOVER
  }

  private final List<RedisServer> nodes;
  private final Belongings belongings;

  RedisCluster(List<RedisServer> nodes, Belongings belongings) {
    this.nodes = List.copyOf(nodes);
    this.belongings = belongings;
  }

  /** Starts three masters with a replica each; same as {@code builder().start()}. */
  public static RedisCluster start() {
    return builder().start();
  }

  public static RedisClusterBuilder builder() {
    return new RedisClusterBuilder();
  }

  /** All nodes, dead or alive; first those that were started as masters. */
  public List<RedisServer> nodes() {
    return nodes;
  }

  /** The nodes that answer and say that they are masters. */
  public List<RedisServer> masters() {
    return nodes.stream().filter(node -> says(node, view -> view.myself().is("master"))).toList();
  }

  /** The nodes that answer and say that they are replicas. */
  public List<RedisServer> replicas() {
    return nodes.stream().filter(node -> says(node, view -> view.myself().is("slave"))).toList();
  }

  /** The replicas that answer and say that this master, dead or alive, is theirs. */
  public List<RedisServer> replicasOf(RedisServer master) {
    String id = idOf(master);
    return nodes.stream()
        .filter(node -> says(node, view -> view.myself().masterId().equals(id)))
        .toList();
  }

  /**
   * The only replica of this master, or the first.
   *
   * @throws IllegalStateException if it has none
   */
  public RedisServer replicaOf(RedisServer master) {
    return replicasOf(master).stream()
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(master + " has no replica"));
  }

  /** The slot of a key, hash tags respected. */
  public int slotOf(String key) {
    return Math.toIntExact(
        (Long) Objects.requireNonNull(anyLiving().command("CLUSTER", "KEYSLOT", key)));
  }

  /** The master that serves a key's slot; see {@link #masterOf(int)}. */
  public RedisServer masterOf(String key) {
    return masterOf(slotOf(key));
  }

  /**
   * The master that serves a slot by its own word; if several claim it, the one with the newest
   * claim.
   *
   * @throws IllegalStateException if nobody does at the moment
   */
  public RedisServer masterOf(int slot) {
    return claimant(slot)
        .orElseThrow(() -> new IllegalStateException("nobody serves slot " + slot));
  }

  /**
   * Waits until a master as wanted serves the slot, all nodes that answer agree on it and take the
   * cluster for well.
   *
   * @throws IllegalStateException if that is not so within the bound
   */
  public RedisServer awaitMasterOf(int slot, Predicate<RedisServer> wanted, Duration bound) {
    return Patience.awaitPresent(
            bound, () -> claimant(slot).filter(wanted).filter(at -> agreeOn(slot, at)))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no such master of slot "
                        + slot
                        + " after "
                        + bound
                        + "; the nodes say "
                        + views()));
  }

  /** Waits until the slot of a key has another master than this; see {@link #awaitMasterOf}. */
  public RedisServer awaitMasterOtherThan(RedisServer old, String key, Duration bound) {
    return awaitMasterOf(slotOf(key), server -> server != old, bound);
  }

  /**
   * Waits until this node is a replica, of whichever master, and has its data.
   *
   * @throws IllegalStateException if that is not so within the bound
   */
  public void awaitReplica(RedisServer node, Duration bound) {
    if (!Patience.await(bound, () -> isReplicaInSync(node))) {
      throw new IllegalStateException(
          node + " is no replica after " + bound + ": " + RedisReplicas.replication(node));
    }
  }

  /**
   * Makes a replica take the place of its master. Does not wait for it; see {@link #awaitMasterOf}.
   */
  public void failover(RedisServer replica, Failover how) {
    switch (how) {
      case ORDERLY -> replica.command("CLUSTER", "FAILOVER");
      case FORCE -> replica.command("CLUSTER", "FAILOVER", "FORCE");
      case TAKEOVER -> replica.command("CLUSTER", "FAILOVER", "TAKEOVER");
    }
  }

  /** Moves a slot with all its keys to another master and waits until all nodes know. */
  public void moveSlot(int slot, RedisServer to) {
    SlotMove move = beginMove(slot, to);
    move.moveKeys();
    move.finish();
  }

  /**
   * Begins to move a slot to another master, and moves no key yet. From here on the old master
   * sends clients on with {@code ASK} for keys that it does not have, and says {@code TRYAGAIN}
   * when it has some of a command's keys.
   */
  public SlotMove beginMove(int slot, RedisServer to) {
    return SlotMove.begin(this, slot, masterOf(slot), to);
  }

  /** The name that a node has among its peers. */
  public String idOf(RedisServer node) {
    return nodes.stream()
        .map(ClusterView::of)
        .flatMap(Optional::stream)
        .flatMap(view -> view.lines().stream())
        .filter(line -> line.port() == node.port())
        .map(ClusterView.Line::id)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("nobody knows " + node));
  }

  /** Closes all nodes. */
  @Override
  public void close() {
    belongings.close();
  }

  /** Whether all nodes see the same masters for all slots and replicas have their data. */
  boolean isWhole() {
    List<ClusterView> views =
        nodes.stream().map(ClusterView::of).flatMap(Optional::stream).toList();
    return views.size() == nodes.size()
        && views.stream().allMatch(view -> view.state().equals("ok") && view.knows(nodes.size()))
        && views.stream().map(RedisCluster::roles).distinct().count() == 1
        && replicas().stream().allMatch(RedisCluster::isReplicaInSync);
  }

  private static List<String> roles(ClusterView view) {
    return view.lines().stream()
        .map(line -> line.id() + " " + line.masterId() + " " + line.slots())
        .sorted()
        .toList();
  }

  private boolean agreeOn(int slot, RedisServer master) {
    return nodes.stream()
        .map(ClusterView::of)
        .flatMap(Optional::stream)
        .allMatch(
            view ->
                view.state().equals("ok")
                    && view.masterOf(slot).filter(at -> at.port() == master.port()).isPresent());
  }

  private Optional<RedisServer> claimant(int slot) {
    record Claim(RedisServer node, ClusterView.Line line) {}
    List<Claim> claims = new ArrayList<>();
    for (RedisServer node : nodes) {
      ClusterView.of(node).ifPresent(view -> claims.add(new Claim(node, view.myself())));
    }
    return claims.stream()
        .filter(claim -> claim.line().is("master") && claim.line().serves(slot))
        .max(Comparator.comparingLong(claim -> claim.line().epoch()))
        .map(Claim::node);
  }

  private RedisServer anyLiving() {
    return nodes.stream()
        .filter(node -> says(node, view -> true))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no node answers"));
  }

  private List<Optional<ClusterView>> views() {
    return nodes.stream().map(ClusterView::of).toList();
  }

  private static boolean isReplicaInSync(RedisServer node) {
    return RedisReplicas.replication(node)
        .filter(said -> "up".equals(said.get("master_link_status")))
        .isPresent();
  }

  private static boolean says(RedisServer node, Predicate<ClusterView> what) {
    return ClusterView.of(node).filter(what).isPresent();
  }
}
