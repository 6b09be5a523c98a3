package io.leasehold.ctl.doctor;

import io.leasehold.ctl.doctor.Terms.Topology;
import io.leasehold.spi.HostAndPort;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is looked at between servers: clocks, and whether those of a quorum are independent. */
final class TogetherChecks {
  private static final int LEAST_NODES = 3;
  private static final Duration FOR_TOKENS = Duration.ofSeconds(5);
  private static final Duration FOR_FAILOVER = Duration.ofSeconds(2);

  private TogetherChecks() {}

  /** Of the servers of a quorum. */
  static List<Finding> ofQuorum(Terms terms, List<Facts> servers) {
    return List.of(
        number(terms),
        sameServer(servers),
        independence(terms, servers),
        clocks(servers, terms, terms.url().hosts().size()));
  }

  private static Finding number(Terms terms) {
    int nodes = terms.url().hosts().size();
    if (nodes < LEAST_NODES) {
      return Finding.bad(
          Check.QUORUM,
          nodes
              + " servers are no quorum: with fewer than three the loss of one is the loss of all",
          "list three or five independent servers");
    }
    return nodes % 2 == 0
        ? Finding.warn(
            Check.QUORUM,
            nodes + " servers bear the loss of no more than " + (nodes - 1) + " would (LH-206)",
            "use an odd number of servers")
        : Finding.ok(
            Check.QUORUM, nodes + " servers, of which " + (nodes - 1) / 2 + " may be gone");
  }

  private static Finding sameServer(List<Facts> servers) {
    Map<String, List<String>> addresses = new LinkedHashMap<>();
    for (Facts facts : servers) {
      addresses
          .computeIfAbsent(facts.runId(), unseen -> new ArrayList<>())
          .add(facts.server().toString());
    }
    addresses.remove("");
    return addresses.values().stream()
        .filter(same -> same.size() > 1)
        .findFirst()
        .map(
            same ->
                Finding.bad(
                    Check.SAME_SERVER,
                    String.join(" and ", same)
                        + " are one server, by its run id: it would vote twice",
                    "list each server once"))
        .orElseGet(() -> Finding.ok(Check.SAME_SERVER, "each address is another server"));
  }

  private static Finding independence(Terms terms, List<Facts> servers) {
    for (Facts facts : servers) {
      if (facts.info().is("cluster_enabled", "1")) {
        return Finding.bad(
            Check.INDEPENDENCE,
            facts.server() + " is a node of a cluster, which moves and copies names",
            "use servers of their own for Redlock, or the cluster without it (redis-cluster://)");
      }
      for (Facts other : servers) {
        String replication = facts.info().text("master_replid");
        if (!other.runId().equals(facts.runId())
            && !replication.isEmpty()
            && other.info().is("master_replid", replication)) {
          return Finding.bad(
              Check.INDEPENDENCE,
              facts.server()
                  + " and "
                  + other.server()
                  + " have the same data: one copies the other",
              "REPLICAOF NO ONE on the replica, or another server in its place");
        }
      }
    }
    return sharedHost(terms)
        .map(
            host ->
                Finding.warn(
                    Check.INDEPENDENCE,
                    "several servers are on " + host + ": they will be gone together",
                    "a machine of its own for each server"))
        .orElseGet(() -> Finding.ok(Check.INDEPENDENCE, "none knows of another"));
  }

  /** A machine that is listed more than once. This one is: for trying things out. */
  static Optional<String> sharedHost(Terms terms) {
    List<String> hosts = terms.url().hosts().stream().map(HostAndPort::host).toList();
    return hosts.stream()
        .filter(host -> hosts.indexOf(host) != hosts.lastIndexOf(host) && !isLoopback(host))
        .findFirst();
  }

  static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /**
   * How far clocks lie apart.
   *
   * @param all how many servers there are, whether they answered or not
   */
  static Finding clocks(List<Facts> servers, Terms terms, int all) {
    List<Clock> clocks =
        servers.stream()
            .flatMap(facts -> facts.clock().stream())
            .sorted((one, other) -> Long.compare(one.aheadMicros(), other.aheadMicros()))
            .toList();
    if (clocks.size() < 2) {
      return Finding.unknown(
          Check.CLOCK, "there are not two clocks to compare", "see to it that all servers answer");
    }
    Duration apart = apart(clocks, 0, clocks.size() - 1);
    String text = clocks.size() + " clocks lie " + ServerChecks.shown(apart) + " apart";
    String fix = "run NTP (chrony) in slewing mode on all servers";
    if (terms.topology() != Topology.QUORUM) {
      return apart.compareTo(FOR_FAILOVER) < 0
          ? Finding.ok(Check.CLOCK, text)
          : Finding.bad(Check.CLOCK, text + ": above 2 s tokens may go back with a failover", fix);
    }
    int majority = all / 2 + 1;
    boolean agreed = false;
    for (int i = 0; i + majority <= clocks.size(); i++) {
      agreed |= apart(clocks, i, i + majority - 1).compareTo(FOR_TOKENS) < 0;
    }
    if (!agreed) {
      return Finding.bad(
          Check.CLOCK, text + ": no majority lies within 5 s, so there are no tokens", fix);
    }
    return apart.compareTo(FOR_TOKENS) < 0
        ? Finding.ok(Check.CLOCK, text)
        : Finding.warn(
            Check.CLOCK, text + ": a server that is off by 5 s or more helps with no token", fix);
  }

  /** By how much they differ at least, whatever the round trips hid. */
  private static Duration apart(List<Clock> sorted, int from, int to) {
    Clock first = sorted.get(from);
    Clock last = sorted.get(to);
    long micros = last.aheadMicros() - first.aheadMicros();
    return Duration.ofNanos(
        1_000 * Math.max(0, micros - first.uncertainMicros() - last.uncertainMicros()));
  }
}
