package io.leasehold.ctl.doctor;

import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.RedisProbe;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whether a cluster serves all names, and who does. */
final class ClusterChecks {
  private static final int SLOTS = 16_384;
  private static final int LEAST_PRIMARIES = 3;

  private final List<Finding> findings = new ArrayList<>();
  private final Map<Endpoint, Set<Endpoint>> shards = new LinkedHashMap<>();
  private int covered;

  private ClusterChecks() {}

  static ClusterChecks of(RedisProbe probe) {
    ClusterChecks checks = new ClusterChecks();
    for (Endpoint seed : probe.servers().endpoints()) {
      if (checks.ask(probe, seed)) {
        break;
      }
    }
    return checks;
  }

  List<Finding> findings() {
    return findings;
  }

  /** The primaries with their replicas. */
  Map<Endpoint, Set<Endpoint>> shards() {
    return shards;
  }

  private boolean ask(RedisProbe probe, Endpoint seed) {
    try {
      Object slots = probe.ask(seed, "CLUSTER", "SLOTS");
      if (Replies.error(slots).isPresent()) {
        throw Replies.error(slots).get();
      }
      for (Object range : Replies.list(slots)) {
        read(seed, Replies.list(range));
      }
      judge(Replies.text(probe.ask(seed, "CLUSTER", "INFO")).map(Info::lines).orElse(Info.NONE));
      return true;
    } catch (RedisErrorReply | RedisConnectionFailure e) {
      findings.add(
          Finding.bad(
              Check.REACH,
              seed + " does not tell who serves: " + e.getMessage(),
              "start it, correct address or login, or leave it out of the URL"));
      return false;
    }
  }

  private void read(Endpoint asked, List<?> range) {
    if (range.size() < 3
        || !(range.get(0) instanceof Long from && range.get(1) instanceof Long to)) {
      return;
    }
    covered += (int) (to - from + 1);
    Endpoint primary = endpoint(asked, range.get(2));
    Set<Endpoint> replicas = shards.computeIfAbsent(primary, unseen -> new LinkedHashSet<>());
    range.subList(3, range.size()).forEach(node -> replicas.add(endpoint(asked, node)));
  }

  private static Endpoint endpoint(Endpoint asked, Object node) {
    List<String> words = Replies.texts(node);
    String host = words.get(0);
    // A node that does not know its own address means the one under which it was asked.
    return Endpoint.data(
        host.isEmpty() || host.equals("?") ? asked.host() : host, Integer.parseInt(words.get(1)));
  }

  private void judge(Info info) {
    long failing = Math.max(0, info.number("cluster_slots_fail"));
    if (covered < SLOTS || failing > 0 || info.is("cluster_state", "fail")) {
      findings.add(
          Finding.bad(
              Check.CLUSTER,
              covered
                  + " of "
                  + SLOTS
                  + " slots are served"
                  + (failing > 0 ? ", " + failing + " of them by a dead node" : "")
                  + (info.is("cluster_state", "fail") ? "; the cluster is down" : "")
                  + ": names in the others cannot be locked",
              "bring the missing primary back or promote its replica; redis-cli --cluster check"));
    } else {
      findings.add(
          Finding.ok(Check.CLUSTER, "all slots are served, by " + shards.size() + " primaries"));
    }
    if (shards.size() < LEAST_PRIMARIES) {
      findings.add(
          Finding.warn(
              Check.CLUSTER,
              shards.size() + " primaries: with fewer than three no replica is ever promoted",
              "spread the slots over three primaries or more"));
    }
  }
}
