package io.leasehold.ctl.doctor;

import java.util.Locale;

/** What is looked at. Each has an entry of its name in {@code docs/doctor.md}. */
enum Check {
  REACH,
  VERSION,
  ROLE,
  EVICTION,
  PERSISTENCE,
  REPLICAS,
  MIN_REPLICAS,
  BACKLOG,
  GUARD,
  MAX_LEASE,
  PERMISSIONS,
  TLS,
  CLOCK,
  LATENCY,
  QUORUM,
  SAME_SERVER,
  INDEPENDENCE,
  SENTINELS,
  CLUSTER;

  /** As it is printed. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Where it is explained. */
  String page() {
    return "docs/doctor.md#" + id();
  }
}
