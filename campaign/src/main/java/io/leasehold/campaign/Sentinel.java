package io.leasehold.campaign;

import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A master and a replica, behind proxies, and three sentinels. {@code min-replicas-to-write} is as
 * the guard needs it.
 */
final class Sentinel extends Topology {
  private final RedisSentinels set =
      RedisSentinels.builder()
          .replicas(1)
          .nodes(node -> node.config("min-replicas-to-write 1", "min-replicas-max-lag 2"))
          .behindProxies()
          .start();
  private final List<Seat> seats =
      IntStream.range(0, set.servers().size())
          .mapToObj(i -> seat(i, set.servers().get(i)))
          .toList();

  private Seat seat(int number, RedisServer server) {
    return new Seat("server-" + number, server, Optional.of(set.proxyOf(server)));
  }

  @Override
  String url(String provider, String... options) {
    String sentinels =
        set.sentinelAddresses().stream()
            .map(address -> address.getHostString() + ":" + address.getPort())
            .collect(Collectors.joining(","));
    String url = address(provider, "redis-sentinel", sentinels, options);
    return url + (options.length == 0 ? "?" : "&") + "masterName=" + set.masterName();
  }

  @Override
  Set<FaultKind> faults() {
    Set<FaultKind> all = EnumSet.copyOf(SingleServer.ON_A_SERVER);
    all.addAll(EnumSet.of(FaultKind.FAILOVER, FaultKind.KILL_MASTER, FaultKind.PAUSE_SENTINEL));
    return all;
  }

  @Override
  Plan.Habits habits() {
    return new Plan.Habits(9, 16_000, 2_200);
  }

  @Override
  Duration quarantine() {
    return Duration.ofSeconds(16);
  }

  @Override
  List<Seat> seats() {
    return seats;
  }

  @Override
  Attack aim(PlannedFault fault) {
    return switch (fault.kind()) {
      case FAILOVER -> {
        RedisServer old = set.currentMaster();
        yield new Attack(
            named(old).name(),
            () -> {
              set.failover();
              return () -> set.awaitMasterOtherThan(old, BOUND);
            });
      }
      case KILL_MASTER -> {
        RedisServer old = set.currentMaster();
        yield new Attack(
            named(old).name(),
            () -> {
              old.kill();
              return () -> replace(old);
            });
      }
      case PAUSE_SENTINEL -> {
        int number = fault.pick() / 7 % set.sentinels().size();
        RedisServer sentinel = set.sentinels().get(number);
        yield new Attack(
            "sentinel-" + number,
            () -> {
              sentinel.pause();
              return sentinel::resume;
            });
      }
      default -> SeatFaults.aim(masterMostly(fault), fault);
    };
  }

  private void replace(RedisServer old) {
    try {
      set.awaitMasterOtherThan(old, BOUND);
    } finally {
      old.restart(RedisServer.Data.KEPT);
    }
  }

  /** Two of three faults are the master's: what is done to a replica is rarely felt. */
  private Seat masterMostly(PlannedFault fault) {
    if (fault.pick() % 3 == 0) {
      return seat(fault);
    }
    try {
      return named(set.currentMaster());
    } catch (IllegalStateException e) {
      return seat(fault); // nobody is, at the moment
    }
  }

  private Seat named(RedisServer server) {
    return seats.stream().filter(seat -> seat.server() == server).findFirst().orElseThrow();
  }

  @Override
  void vouch() {
    vouchFor(url("jedis", "maxLease=10s", "leaseTime=2s"));
  }

  @Override
  void awaitWhole() {
    for (RedisServer sentinel : set.sentinels()) {
      if (!sentinel.isAlive()) {
        sentinel.restart(RedisServer.Data.KEPT);
      }
      sentinel.resume();
    }
    RedisServer master = set.awaitMaster(any -> true, BOUND);
    for (RedisServer server : set.servers()) {
      if (server != master) {
        awaitReplica(server);
      }
    }
  }

  /** Roles may change once more while the sentinels make up their minds. */
  private void awaitReplica(RedisServer server) {
    long end = System.nanoTime() + BOUND.toNanos();
    while (true) {
      try {
        if (set.awaitMaster(any -> true, BOUND) == server) {
          return;
        }
        set.awaitReplica(server, Duration.ofSeconds(20));
        return;
      } catch (IllegalStateException e) {
        if (System.nanoTime() - end >= 0) {
          throw e;
        }
      }
    }
  }

  @Override
  public void close() {
    set.close();
  }
}
