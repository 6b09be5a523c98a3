package io.leasehold.campaign;

import static io.leasehold.campaign.FaultKind.*;

import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.SlotMove;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Three masters with a replica each, which clients reach directly: the addresses are the cluster's
 * own. A slot that is on its way is left alone by other faults: one that ends up with a master that
 * does not have its keys is outside the promise (docs/redis.md, what the guard does not see).
 */
final class Cluster extends Topology {
  private final RedisCluster cluster =
      RedisCluster.builder()
          .nodes(node -> node.config("min-replicas-to-write 1", "min-replicas-max-lag 2"))
          .start();
  private final List<Seat> seats =
      IntStream.range(0, cluster.nodes().size())
          .mapToObj(i -> new Seat("node-" + i, cluster.nodes().get(i), Optional.empty()))
          .toList();
  private final Semaphore notMoving = new Semaphore(1);

  @Override
  String url(String provider, String... options) {
    String hosts =
        cluster.nodes().stream()
            .map(node -> "127.0.0.1:" + node.port())
            .collect(Collectors.joining(","));
    return address(provider, "redis-cluster", hosts, options);
  }

  @Override
  Set<FaultKind> faults() {
    return EnumSet.of(
        KILL,
        KILL_MASTER,
        TRUNCATED_AOF,
        PAUSE_SERVER,
        FAILOVER,
        TAKEOVER,
        MOVE_SLOT,
        SCRIPT_FLUSH,
        CLIENT_KILL,
        CLIENT_PAUSE,
        MEMORY_FULL,
        EVICTING_POLICY);
  }

  @Override
  Plan.Habits habits() {
    return new Plan.Habits(12, 14_000, 2_000);
  }

  @Override
  Duration quarantine() {
    return Duration.ofSeconds(16);
  }

  /**
   * Each slot has a quarantine of its own, which begins when the slot is first asked for (ADR 7): a
   * lock that nobody has wanted since a failover waits for it long after everything is well.
   */
  @Override
  Duration servedWithin() {
    return super.servedWithin().plus(quarantine());
  }

  @Override
  List<Seat> seats() {
    return seats;
  }

  @Override
  Attack aim(PlannedFault fault) {
    return switch (fault.kind()) {
      case FAILOVER -> promote(fault, RedisCluster.Failover.ORDERLY);
      case TAKEOVER ->
          promote(
              fault,
              fault.pick() % 2 == 0 ? RedisCluster.Failover.FORCE : RedisCluster.Failover.TAKEOVER);
      case KILL_MASTER -> {
        Seat master = master(fault);
        int slot = slotOf(master.server());
        yield new Attack(
            master.name(),
            () -> {
              master.server().kill();
              return () -> replace(master.server(), slot);
            });
      }
      case MOVE_SLOT -> {
        int slot = cluster.slotOf(LockNames.ANY.get(fault.pick() / 7 % LockNames.ANY.size()));
        yield new Attack("slot-" + slot, () -> move(slot, fault.pick() / 3));
      }
      case CLIENT_KILL, CLIENT_PAUSE, MEMORY_FULL, EVICTING_POLICY -> {
        Attack attack = SeatFaults.aim(masterMostly(fault), fault);
        yield new Attack(attack.target(), () -> besideMoves(attack));
      }
      default -> SeatFaults.aim(masterMostly(fault), fault);
    };
  }

  private Runnable besideMoves(Attack attack) throws InterruptedException {
    notMoving.acquire();
    try {
      return thenMove(attack.strike().begin());
    } catch (RuntimeException e) {
      notMoving.release();
      throw e;
    }
  }

  /** Healing, and leave for slots to move; for once, however often it is tried. */
  private Runnable thenMove(Runnable heal) {
    AtomicBoolean first = new AtomicBoolean(true);
    return () -> {
      try {
        heal.run();
      } finally {
        if (first.getAndSet(false)) {
          notMoving.release();
        }
      }
    };
  }

  private Attack promote(PlannedFault fault, RedisCluster.Failover how) {
    Seat old = master(fault);
    int slot = slotOf(old.server());
    RedisServer replica = cluster.replicaOf(old.server());
    return new Attack(
        old.name(),
        () -> {
          cluster.failover(replica, how);
          return () -> awaitAnotherMaster(slot, old.server());
        });
  }

  private void replace(RedisServer old, int slot) {
    try {
      awaitAnotherMaster(slot, old);
    } finally {
      old.restart(RedisServer.Data.KEPT);
    }
  }

  private void awaitAnotherMaster(int slot, RedisServer old) {
    cluster.awaitMasterOf(slot, server -> server != old, BOUND);
  }

  private Runnable move(int slot, int pick) throws InterruptedException {
    notMoving.acquire();
    try {
      RedisServer from = cluster.masterOf(slot);
      List<RedisServer> others =
          cluster.masters().stream().filter(master -> master != from).toList();
      SlotMove move = cluster.beginMove(slot, others.get(pick % others.size()));
      return thenMove(() -> complete(move));
    } catch (RuntimeException e) {
      notMoving.release();
      throw e;
    }
  }

  /** Every master, first the new one: what only two of them are told is not always passed on. */
  private void tellAll(SlotMove move) {
    String id = cluster.idOf(move.to());
    String slot = String.valueOf(move.slot());
    move.to().command("CLUSTER", "SETSLOT", slot, "NODE", id);
    for (RedisServer master : cluster.masters()) {
      if (master != move.to()) {
        master.command("CLUSTER", "SETSLOT", slot, "NODE", id);
      }
    }
  }

  private void complete(SlotMove move) {
    try {
      Patience.retry(
          "move slot " + move.slot(),
          BOUND,
          () -> {
            move.moveKeys();
            tellAll(move);
            move.finish();
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static int slotOf(RedisServer master) {
    String nodes = String.valueOf(master.command("CLUSTER", "NODES"));
    return nodes
        .lines()
        .filter(line -> line.contains("myself,master"))
        .map(line -> line.split(" ", -1))
        .filter(fields -> fields.length > 8)
        .map(fields -> Integer.parseInt(fields[8].replaceAll("-.*", "")))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(master + " has no slots"));
  }

  private Seat master(PlannedFault fault) {
    List<RedisServer> masters =
        cluster.masters().stream().filter(at -> !cluster.replicasOf(at).isEmpty()).toList();
    if (masters.isEmpty()) {
      throw new IllegalStateException("no master has a replica at the moment");
    }
    RedisServer master = masters.get(fault.pick() / 7 % masters.size());
    return seats.stream().filter(seat -> seat.server() == master).findFirst().orElseThrow();
  }

  private Seat masterMostly(PlannedFault fault) {
    try {
      return fault.pick() % 3 == 0 ? seat(fault) : master(fault);
    } catch (IllegalStateException e) {
      return seat(fault);
    }
  }

  @Override
  void vouch() {
    vouchFor(url("jedis", "maxLease=10s", "leaseTime=2s"));
  }

  @Override
  void awaitWhole() {
    for (String lock : LockNames.ANY) {
      cluster.awaitMasterOf(cluster.slotOf(lock), any -> true, BOUND);
    }
    for (RedisServer replica : cluster.replicas()) {
      cluster.awaitReplica(replica, BOUND);
    }
  }

  @Override
  public void close() {
    cluster.close();
  }
}
