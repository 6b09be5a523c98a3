package io.leasehold.campaign;

/** Topologies by their names. */
final class Topologies {
  private Topologies() {}

  static Topology start(String name) {
    return switch (name) {
      case "memory" -> new InMemory();
      case "standalone" -> SingleServer.plain();
      case "tls" -> SingleServer.tls();
      case "sentinel" -> new Sentinel();
      case "cluster" -> new Cluster();
      case "redlock-3" -> Quorum.of(3);
      case "redlock-5" -> Quorum.of(5);
      case RunSpec.CLOCKS -> Quorum.withClocks(5, ClockShim.open());
      default -> throw new IllegalArgumentException("there is no topology " + name);
    };
  }
}
