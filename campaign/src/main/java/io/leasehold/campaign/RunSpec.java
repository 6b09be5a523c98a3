package io.leasehold.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One run of a campaign.
 *
 * @param provider the driver, or {@code memory}
 * @param topology what it is run on
 * @param race empty for a storm; otherwise the race that is played out and must be found
 */
record RunSpec(String provider, String topology, Optional<Race> race) {
  static final List<String> DRIVERS = List.of("jedis", "lettuce", "vertx");
  static final List<String> TOPOLOGIES =
      List.of("standalone", "redlock-3", "sentinel", "cluster", "redlock-5", "tls");

  /** Servers with clocks that are set: exclusion is not promised then, the order of tokens is. */
  static final String CLOCKS = "redlock-5-clocks";

  /** What must be found. */
  enum Expect {
    /** No violation at all. */
    NONE,
    /** Exclusion is outside the promise; everything else is inside. */
    OVERLAP_ALLOWED,
    /** The race that is played out. */
    RACE;

    String id() {
      return switch (this) {
        case NONE -> "none";
        case OVERLAP_ALLOWED -> "any";
        case RACE -> "race";
      };
    }
  }

  /** All runs of a whole campaign, in the order of one round. */
  static List<RunSpec> all() {
    List<RunSpec> all = new ArrayList<>(storms());
    all.addAll(races());
    return all;
  }

  /** Every provider on every topology, and those with clocks. */
  static List<RunSpec> storms() {
    List<RunSpec> all = new ArrayList<>();
    all.add(new RunSpec("memory", "memory", Optional.empty()));
    for (String topology : TOPOLOGIES) {
      for (String driver : DRIVERS) {
        all.add(new RunSpec(driver, topology, Optional.empty()));
      }
    }
    for (String driver : DRIVERS) {
      all.add(new RunSpec(driver, CLOCKS, Optional.empty()));
    }
    return all;
  }

  /** Every race through every driver. */
  static List<RunSpec> races() {
    List<RunSpec> all = new ArrayList<>();
    for (Race race : Race.values()) {
      for (String driver : DRIVERS) {
        all.add(new RunSpec(driver, race.topology(), Optional.of(race)));
      }
    }
    return all;
  }

  /**
   * The run with this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static RunSpec named(String name) {
    return all().stream()
        .filter(spec -> spec.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no run " + name));
  }

  String name() {
    return topology.equals("memory")
        ? "memory"
        : provider + "-" + topology + race.map(played -> "-" + played.suffix()).orElse("");
  }

  String guard() {
    return race.map(Race::guard).orElse(topology.equals("memory") ? "none" : "on");
  }

  Expect expect() {
    return race.isPresent()
        ? Expect.RACE
        : topology.equals(CLOCKS) ? Expect.OVERLAP_ALLOWED : Expect.NONE;
  }

  boolean needsClocks() {
    return topology.equals(CLOCKS) || race.map(Race::needsClocks).orElse(false);
  }
}
