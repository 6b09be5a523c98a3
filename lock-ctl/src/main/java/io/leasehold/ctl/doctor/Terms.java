package io.leasehold.ctl.doctor;

import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * What the clients of a URL ask of their servers.
 *
 * @param topology how the servers work together
 * @param url of all servers
 */
record Terms(Topology topology, LockUrl url) {
  /** As the quorum has it. */
  private static final double SHARE_OF_REQUEST = 0.4;

  enum Topology {
    STANDALONE,
    SENTINEL,
    CLUSTER,
    QUORUM;

    /** Whether another server may take over from one that is gone. */
    boolean failsOver() {
      return this == SENTINEL || this == CLUSTER;
    }
  }

  boolean distlock() {
    return url.get(Options.LAYOUT) == Options.Layout.DISTLOCK;
  }

  String layout() {
    return url.get(Options.LAYOUT).name().toLowerCase(Locale.ROOT);
  }

  Optional<Boolean> guardGiven() {
    return url.given(Options.GUARD);
  }

  boolean guarded() {
    return guardGiven().orElse(distlock() && topology != Topology.STANDALONE);
  }

  /** How long one server is waited for. */
  Duration patience() {
    Duration all = url.get(Options.COMMAND_TIMEOUT);
    return topology == Topology.QUORUM
        ? url.given(Options.NODE_TIMEOUT)
            .orElse(Duration.ofNanos((long) (all.toNanos() * SHARE_OF_REQUEST)))
        : all;
  }

  /** The option that says so. */
  String patienceOption() {
    return topology == Topology.QUORUM
        ? Options.NODE_TIMEOUT.name()
        : Options.COMMAND_TIMEOUT.name();
  }

  Duration leaseTime() {
    return url.get(Options.LEASE_TIME);
  }

  int minReplicas() {
    return url.get(Options.MIN_REPLICAS);
  }

  boolean fair() {
    return url.get(Options.FAIR);
  }
}
