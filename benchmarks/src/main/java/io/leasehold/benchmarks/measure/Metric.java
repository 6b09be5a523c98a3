package io.leasehold.benchmarks.measure;

import java.util.Locale;

/** A number that is measured, with its unit. */
public enum Metric {
  RATE("cycles/s", 0),
  WAIT_P50("wait p50, µs", 0),
  WAIT_P99("wait p99, µs", 0),
  CYCLE_P50("cycle p50, µs", 1),
  CYCLE_P99("cycle p99, µs", 1),
  CYCLE_MEAN("cycle mean, µs", 1),
  ALLOCATED("allocated by the caller, B/cycle", 0),
  ALLOCATED_IN_ALL("allocated by all threads, B/cycle", 0),
  CLIENT_CALLS("client calls/cycle", 2),
  SERVER_MICROS("server time, µs/cycle", 1),
  WAKE_UPS("wake-ups/release", 2),
  LEAST_SHARE("smallest share of a process, %", 1),
  ERRORS("errors", 0),
  VIOLATIONS("two holders at once", 0),
  CLIENTS("clients", 0),
  COMMANDS_PER_CLIENT("most commands of one client", 0),
  COMMANDS("commands of all clients", 0),
  SECONDS("seconds", 1),
  PUBLISHED("PUBLISH on release", 0),
  GRANTED("clients that then had it", 0),
  LEASES("leases", 0),
  CPU("cores used", 3),
  LOST("leases lost", 0),
  BYTES_PER_LEASE("heap, B/lease", 0),
  THREADS("threads of the client", 0),
  BATCHES("EVALSHA calls/s", 1);

  private final String title;
  private final int digits;

  Metric(String title, int digits) {
    this.title = title;
    this.digits = digits;
  }

  /** How people name it, with its unit. */
  public String title() {
    return title;
  }

  /** How files name it. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** A value with as many digits as mean something. */
  public String format(double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%,." + digits + "f", value);
  }
}
