package io.leasehold.campaign;

import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Independent servers, each behind a proxy; with a shim each has a clock that can be set. */
final class Quorum extends Topology {
  private final List<Seat> seats = new ArrayList<>();
  private final Optional<ClockShim> clocks;

  private Quorum(int size, Optional<ClockShim> clocks) {
    this.clocks = clocks;
    try {
      for (int i = 0; i < size; i++) {
        RedisServer server = clocks.map(ClockShim::start).orElseGet(RedisServer::start);
        seats.add(new Seat("server-" + i, server, Optional.of(FaultyProxy.to(server))));
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  static Quorum of(int size) {
    return new Quorum(size, Optional.empty());
  }

  /** Servers whose clocks can be set; the shim is closed with them. */
  static Quorum withClocks(int size, ClockShim shim) {
    return new Quorum(size, Optional.of(shim));
  }

  @Override
  String url(String provider, String... options) {
    String hosts =
        seats.stream()
            .map(seat -> "127.0.0.1:" + seat.wire().port())
            .collect(Collectors.joining(","));
    return address("redlock:" + provider, "redis", hosts, options);
  }

  @Override
  Set<FaultKind> faults() {
    if (clocks.isEmpty()) {
      return SingleServer.ON_A_SERVER;
    }
    // Restarts are left out: a clock that is set during a quarantine breaks an assumption (STEP).
    Set<FaultKind> all = EnumSet.copyOf(SingleServer.ON_A_SERVER);
    all.removeIf(FaultKind::costly);
    all.add(FaultKind.SERVER_CLOCK_FORWARD);
    all.add(FaultKind.SERVER_CLOCK_BACK);
    return all;
  }

  @Override
  Plan.Habits habits() {
    return new Plan.Habits(30, 7_000, 1_600);
  }

  @Override
  Duration quarantine() {
    return Duration.ofSeconds(11);
  }

  @Override
  int tolerated() {
    return (seats.size() - 1) / 2;
  }

  @Override
  List<Seat> seats() {
    return List.copyOf(seats);
  }

  @Override
  Attack aim(PlannedFault fault) {
    Seat seat = seat(fault);
    return switch (fault.kind()) {
      case SERVER_CLOCK_FORWARD -> clock(seat, 1);
      case SERVER_CLOCK_BACK -> clock(seat, -1);
      default -> SeatFaults.aim(seat, fault);
    };
  }

  private Attack clock(Seat seat, int sign) {
    ClockShim shim = clocks.orElseThrow();
    return new Attack(
        seat.name(),
        () -> {
          shim.set(seat.server(), Duration.ofSeconds(sign * 30L));
          return () -> shim.set(seat.server(), Duration.ZERO);
        });
  }

  @Override
  void vouch() {
    for (Seat seat : seats) {
      vouchFor(
          address(
              "jedis",
              "redis",
              "127.0.0.1:" + seat.server().port(),
              "guard=on",
              "maxLease=10s",
              "leaseTime=2s"));
    }
  }

  @Override
  void awaitWhole() {
    clocks.ifPresent(shim -> seats.forEach(seat -> shim.set(seat.server(), Duration.ZERO)));
  }

  @Override
  public void close() {
    for (Seat seat : seats) {
      seat.wire().close();
      seat.server().close();
    }
    clocks.ifPresent(ClockShim::close);
  }
}
