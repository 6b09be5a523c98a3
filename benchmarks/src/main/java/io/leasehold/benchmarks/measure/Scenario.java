package io.leasehold.benchmarks.measure;

import java.util.Locale;

/** What is measured, in the order of a run. */
public enum Scenario {
  UNCONTENDED("One thread, nobody else wants the lock"),
  UNCONTENDED_WIRE("One thread, nobody else wants the lock, on a wire of 1 ms"),
  MANY_LOCKS("16 threads on 16 locks"),
  MANY_LOCKS_WIRE("16 threads on 16 locks, on a wire of 1 ms"),
  ONE_LOCK("16 threads of one process on one lock"),
  ONE_LOCK_WIRE("16 threads of one process on one lock, on a wire of 1 ms"),
  TELEMETRY("One thread, locks in memory: what telemetry costs"),
  PROCESSES("4 processes × 4 threads on one lock"),
  PROCESSES_WIRE("4 processes × 4 threads on one lock, on a wire of 1 ms"),
  WAITING("200 clients that wait for a lock that stays held"),
  HELD("100,000 leases held by one client"),
  JMH("JMH: uncontended cycles"),
  JMH_MANY_LOCKS("JMH: 16 threads on 16 locks");

  private final String title;

  Scenario(String title) {
    this.title = title;
  }

  /** How people name it. */
  public String title() {
    return title;
  }

  /** How options and files name it. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether it is on a wire of 1 ms. */
  public boolean wire() {
    return switch (this) {
      case UNCONTENDED_WIRE, MANY_LOCKS_WIRE, ONE_LOCK_WIRE, PROCESSES_WIRE -> true;
      default -> false;
    };
  }
}
