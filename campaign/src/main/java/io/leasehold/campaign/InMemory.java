package io.leasehold.campaign;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Locks of one process. There is no server to break. */
final class InMemory extends Topology {

  @Override
  String url(String provider, String... options) {
    return "lock:mem://campaign?" + String.join("&", options);
  }

  @Override
  Set<FaultKind> faults() {
    return Set.of();
  }

  @Override
  Plan.Habits habits() {
    return new Plan.Habits(0, 1_000, 1_600);
  }

  @Override
  Duration quarantine() {
    return Duration.ZERO;
  }

  @Override
  List<Seat> seats() {
    return List.of();
  }

  @Override
  Attack aim(PlannedFault fault) {
    throw new IllegalArgumentException(fault.kind() + " without a server");
  }

  @Override
  void vouch() {}

  @Override
  void awaitWhole() {}

  @Override
  public void close() {}
}
