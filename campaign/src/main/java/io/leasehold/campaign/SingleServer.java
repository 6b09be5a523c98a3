package io.leasehold.campaign;

import static io.leasehold.campaign.FaultKind.*;

import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.RedisVersion;
import io.leasehold.testkit.ServerTls;
import io.leasehold.testkit.TestCertificates;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** One server behind a proxy, in the open or encrypted. */
final class SingleServer extends Topology {
  static final Set<FaultKind> ON_A_SERVER =
      EnumSet.of(
          KILL,
          RESTART_EMPTY,
          STALE_SNAPSHOT,
          TRUNCATED_AOF,
          PAUSE_SERVER,
          CUT,
          CUT_ORDERLY,
          HALF_CLOSE,
          DELAY,
          BLACK_HOLE,
          BLACK_HOLE_REPLIES,
          DROP_REPLY,
          SCRIPT_FLUSH,
          CLIENT_KILL,
          CLIENT_PAUSE,
          MEMORY_FULL,
          EVICTING_POLICY);

  private final boolean encrypted;
  private final Seat seat;

  private SingleServer(boolean encrypted, RedisServer server) {
    this.encrypted = encrypted;
    this.seat = new Seat("server-0", server, Optional.of(FaultyProxy.to(server)));
  }

  static SingleServer plain() {
    return new SingleServer(false, RedisServer.start());
  }

  static SingleServer tls() {
    return new SingleServer(
        true, RedisServer.builder().version(RedisVersion.V6_2).tls(ServerTls.oneWay()).start());
  }

  @Override
  String url(String provider, String... options) {
    return at(provider, seat.wire().port(), options);
  }

  private String at(String provider, int port, String... options) {
    String[] all =
        encrypted
            ? Stream.concat(
                    Arrays.stream(options), Stream.of("tlsCa=" + TestCertificates.get().ca()))
                .toArray(String[]::new)
            : options;
    return address(provider, encrypted ? "rediss" : "redis", "127.0.0.1:" + port, all);
  }

  @Override
  Set<FaultKind> faults() {
    return ON_A_SERVER;
  }

  @Override
  Plan.Habits habits() {
    return new Plan.Habits(8, 14_000, 2_000);
  }

  @Override
  Duration quarantine() {
    return Duration.ofSeconds(11);
  }

  /** A second less: a server tells its uptime in seconds. */
  @Override
  Duration silence() {
    return quarantine().minusSeconds(1);
  }

  @Override
  List<Seat> seats() {
    return List.of(seat);
  }

  @Override
  Attack aim(PlannedFault fault) {
    return SeatFaults.aim(seat, fault);
  }

  @Override
  void vouch() {
    vouchFor(at("jedis", seat.server().port(), "guard=on", "maxLease=10s", "leaseTime=2s"));
  }

  @Override
  void awaitWhole() {}

  @Override
  public void close() {
    seat.wire().close();
    seat.server().close();
  }
}
