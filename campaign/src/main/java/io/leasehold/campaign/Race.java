package io.leasehold.campaign;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.tck.history.FaultMark;
import io.leasehold.tck.history.HistoryRecorder;
import io.leasehold.testkit.Cut;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.Snapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Faults outside what is promised, played out step by step: two clients hold one lock at the same
 * time, and the checker must see it. That they are found is how we know that nothing is found
 * elsewhere because there is nothing.
 */
enum Race {
  /** One server without the guard restarts with nothing while a lease is held. */
  RESTART_EMPTY("standalone", "unguarded", "off", false) {
    @Override
    void play(Stage stage) throws InterruptedException {
      try (RedisServer server = RedisServer.start()) {
        String url = stage.redis(server);
        stage.twice(url, "restart-empty", () -> server.restart(RedisServer.Data.LOST));
      }
    }
  },
  /** One server without the guard restarts with data that are older than the lease. */
  STALE_SNAPSHOT("standalone", "stale-unguarded", "off", false) {
    @Override
    void play(Stage stage) throws InterruptedException {
      try (RedisServer server = RedisServer.start()) {
        Snapshot before = server.snapshot();
        String url = stage.redis(server);
        stage.twice(url, "stale-snapshot", () -> server.restart(before));
      }
    }
  },
  /** One server without the guard evicts the lock. */
  EVICTION("standalone", "evicting", "off", false) {
    @Override
    void play(Stage stage) throws InterruptedException {
      try (RedisServer server = RedisServer.start()) {
        String url = stage.redis(server);
        stage.twice(
            url,
            "eviction",
            () -> {
              server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-random");
              server.command("CONFIG", "SET", "maxmemory", "1");
              server.command("PING"); // a command evicts
              SeatFaults.normalMemory(server);
              if (Objects.equals(server.command("EXISTS", "contended"), 1L)) {
                throw new IllegalStateException("the lock was not evicted");
              }
            });
      }
    }
  },
  /** FLUSHALL, which the guard does not see. */
  FLUSH("standalone", "flushed", "on", false) {
    @Override
    void play(Stage stage) throws InterruptedException {
      try (RedisServer server = RedisServer.start()) {
        // A server that has been up for long enough needs nobody's word, before and after.
        TimeUnit.SECONDS.sleep(12);
        String url = stage.redis(server);
        stage.twice(url, "flushall", () -> server.command("FLUSHALL"));
      }
    }
  },
  /** The master dies before its replica has the lease, and the replica takes over: no guard. */
  FAILOVER("sentinel", "unguarded", "off", false) {
    @Override
    void play(Stage stage) throws InterruptedException {
      try (RedisSentinels set = RedisSentinels.builder().proxiedReplication().start()) {
        set.awaitInSync(Topology.BOUND);
        String hosts =
            set.sentinelAddresses().stream()
                .map(address -> address.getHostString() + ":" + address.getPort())
                .collect(Collectors.joining(","));
        String url = stage.url("redis-sentinel", hosts, "masterName=" + set.masterName());
        set.replicas().forEach(replica -> set.replicationProxy(replica).blackHole());
        stage.twice(
            url,
            "kill-master",
            () -> {
              RedisServer master = set.currentMaster();
              master.kill();
              set.awaitMasterOtherThan(master, Topology.BOUND);
            });
      }
    }
  },
  /** Two of three independent servers without the guard restart with nothing. */
  QUORUM("redlock-3", "unguarded", "off", false) {
    @Override
    void play(Stage stage) throws InterruptedException {
      try (Quorum quorum = Quorum.of(3)) {
        String url = stage.quorum(quorum);
        stage.twice(
            url,
            "restart-empty",
            () -> {
              for (Seat seat : quorum.seats().subList(0, 2)) {
                seat.server().restart(RedisServer.Data.LOST);
              }
            });
      }
    }
  },
  /** The clock of a single server is set ahead: its locks end early. The guard cannot help. */
  CLOCK("standalone", "clock", "on", true) {
    @Override
    void play(Stage stage) throws InterruptedException {
      try (ClockShim shim = ClockShim.open();
          RedisServer server = shim.start()) {
        TimeUnit.SECONDS.sleep(12);
        String url = stage.redis(server);
        stage.twice(url, "server-clock-forward", () -> shim.set(server, Duration.ofSeconds(30)));
      }
    }
  },
  /**
   * The clock of one of three servers is set ahead, while the lease is on two of them because the
   * third could not be reached when it was granted.
   */
  MINORITY_CLOCK("redlock-3", "clock", "on", true) {
    @Override
    void play(Stage stage) throws InterruptedException {
      ClockShim shim = ClockShim.open();
      try (Quorum quorum = Quorum.withClocks(3, shim)) {
        quorum.vouch();
        // Further apart, and the servers would agree on no token: then nobody is granted anything.
        FaultyProxy third = quorum.seats().get(2).wire();
        third.blackHole();
        String url = stage.quorum(quorum).replace("leaseTime=10s", "leaseTime=4500ms");
        stage.twice(
            url,
            "server-clock-forward",
            () -> {
              third.cut(Cut.RST); // so that the lease never gets there
              third.heal();
              shim.set(quorum.seats().get(1).server(), Duration.ofMillis(4_600));
            });
      }
    }
  };

  private final String topology;
  private final String suffix;
  private final String guard;
  private final boolean needsClocks;

  Race(String topology, String suffix, String guard, boolean needsClocks) {
    this.topology = topology;
    this.suffix = suffix;
    this.guard = guard;
    this.needsClocks = needsClocks;
  }

  String topology() {
    return topology;
  }

  String suffix() {
    return suffix;
  }

  String guard() {
    return guard;
  }

  boolean needsClocks() {
    return needsClocks;
  }

  /** Plays it; the histories are in the stage's folder afterwards. */
  abstract void play(Stage stage) throws InterruptedException;

  /**
   * Where a race is played.
   *
   * @param provider the driver
   * @param guard {@code on} or {@code off}
   * @param folder for the histories
   */
  record Stage(String provider, String guard, Path folder) {

    /** Not renewed: the holder hears nothing, and believes in its lease. */
    private static final String[] TERMS = {
      "maxLease=10s", "leaseTime=10s", "renewal=off", "connectTimeout=60s"
    };

    String redis(RedisServer server) {
      return url("redis", "127.0.0.1:" + server.port());
    }

    String quorum(Quorum quorum) {
      List<String> all = new ArrayList<>(List.of(TERMS));
      all.add("guard=" + guard);
      return quorum.url(provider, all.toArray(String[]::new));
    }

    String url(String scheme, String hosts, String... options) {
      List<String> all = new ArrayList<>(List.of(TERMS));
      all.add("guard=" + guard);
      all.addAll(List.of(options));
      return Topology.address(provider, scheme, hosts, all.toArray(String[]::new));
    }

    /** One client takes a lock, something happens, and another client takes it too. */
    void twice(String url, String kind, Runnable fault) throws InterruptedException {
      try (HistoryRecorder first = HistoryRecorder.to(folder.resolve("holder.history"), "holder");
          HistoryRecorder second = HistoryRecorder.to(folder.resolve("taker.history"), "taker");
          HistoryRecorder nemesis =
              HistoryRecorder.to(folder.resolve("nemesis.history"), "nemesis");
          LockClient holder = first.recording(Locks.builder().url(url).open());
          LockClient taker = second.recording(Locks.builder().url(url).open())) {
        // The other client's connections are there before: a lease of 10 s is not long.
        taker.lock("warm-up").acquire(Duration.ofSeconds(20)).close();
        Lease held = holder.lock("contended").acquire(Duration.ofSeconds(20));
        FaultMark mark = nemesis.fault(kind, "*");
        fault.run();
        mark.close();
        Lease taken = taker.lock("contended").acquire(Duration.ofSeconds(9));
        for (int i = 0; i < 20 && held.isHeld(); i++) {
          taken.isHeld();
          TimeUnit.MILLISECONDS.sleep(10);
        }
        taken.close();
        held.close();
      }
    }
  }
}
