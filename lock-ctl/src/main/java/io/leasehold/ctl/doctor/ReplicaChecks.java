package io.leasehold.ctl.doctor;

import java.util.ArrayList;
import java.util.List;

/** What is looked at where a replica may take over from its primary. */
final class ReplicaChecks {
  private static final long MOST_LAG = 2;
  private static final long USUAL_MAX_LAG = 10;

  private ReplicaChecks() {}

  /** Of a primary. */
  static List<Finding> ofPrimary(Facts facts, Terms terms) {
    List<Finding> findings = new ArrayList<>(List.of(replicas(facts, terms)));
    if (terms.topology().failsOver()) {
      findings.add(minReplicas(facts, facts.info().replicas().size()));
      findings.add(backlog(facts, terms));
    }
    return findings;
  }

  /**
   * Of a replica.
   *
   * @param replicas how many its primary has: as many as it would have itself, in its place
   */
  static List<Finding> ofReplica(Facts facts, Terms terms, int replicas) {
    return List.of(link(facts), minReplicas(facts, replicas), backlog(facts, terms));
  }

  private static Finding replicas(Facts facts, Terms terms) {
    List<Info> replicas = facts.info().replicas();
    long online = replicas.stream().filter(replica -> replica.is("state", "online")).count();
    long lag = replicas.stream().mapToLong(replica -> replica.number("lag")).max().orElse(0);
    if (terms.minReplicas() > online) {
      return Finding.bad(
          Check.REPLICAS,
          online
              + " of them in step, and minReplicas="
              + terms.minReplicas()
              + ": nothing is granted",
          "start replicas, or lower minReplicas in the URL");
    }
    if (replicas.isEmpty()) {
      return terms.topology().failsOver()
          ? Finding.warn(
              Check.REPLICAS,
              "none: when this server is gone, nobody can take over",
              "give it a replica or two")
          : Finding.ok(Check.REPLICAS, "none, and none is needed");
    }
    if (online < replicas.size() || lag > MOST_LAG) {
      return Finding.warn(
          Check.REPLICAS,
          online
              + " of "
              + replicas.size()
              + " in step, the last sign of one is "
              + lag
              + " s old: a failover now would lose more locks than it must",
          "see to the replicas, and to the network between them and this server");
    }
    return Finding.ok(Check.REPLICAS, replicas.size() + " in step, lag " + lag + " s");
  }

  private static Finding link(Facts facts) {
    return facts.info().is("master_link_status", "up")
        ? Finding.ok(Check.REPLICAS, "in step with its primary")
        : Finding.warn(
            Check.REPLICAS,
            "its link to its primary is down: it has old data, and must not be promoted",
            "see to the replica, and to the network between it and its primary");
  }

  private static Finding minReplicas(Facts facts, int replicas) {
    long toWrite = facts.settings().number("min-replicas-to-write");
    long maxLag = facts.settings().number("min-replicas-max-lag");
    // INFO has this field only where both are set; that needs no permission to read the settings.
    boolean on = facts.info().find("min_slaves_good_slaves").isPresent();
    long wanted = Math.max(1, replicas - 1); // docs/redis.md, "Replicas"
    String set = "min-replicas-to-write " + wanted + " and min-replicas-max-lag 10";
    if (toWrite < 0 && (on || facts.isReplica())) {
      return Finding.unknown(
          Check.MIN_REPLICAS,
          "it is not told how many replicas a write must have (LH-203)",
          "grant +config|get to the user; wanted is " + set);
    }
    if (toWrite == 0 || maxLag == 0 || toWrite < 0) {
      return Finding.bad(
          Check.MIN_REPLICAS,
          "writes count that no replica has: cut off from its replicas, this server and the one that"
              + " is promoted in its place both grant (LH-202)",
          "set " + set + " on every server, and CONFIG REWRITE");
    }
    if (toWrite < wanted) {
      return Finding.warn(
          Check.MIN_REPLICAS,
          "writes count that "
              + toWrite
              + " of "
              + replicas
              + " replicas have: cut off together with these, this server grants beside the one that"
              + " is promoted (LH-205)",
          "set " + set + " on every server, and CONFIG REWRITE");
    }
    if (toWrite > replicas) {
      return Finding.bad(
          Check.MIN_REPLICAS,
          "a write must be on " + toWrite + " replicas, and there are " + replicas + ": NOREPLICAS",
          "start the missing replicas; or, when a server is lost for good, set"
              + " min-replicas-to-write to "
              + (replicas == 0 ? 0 : wanted)
              + " until there is a new one");
    }
    return maxLag > USUAL_MAX_LAG
        ? Finding.warn(
            Check.MIN_REPLICAS,
            "a server that is cut off goes on for "
                + maxLag
                + " s, and quarantines last that longer",
            "CONFIG SET min-replicas-max-lag 10")
        : Finding.ok(
            Check.MIN_REPLICAS,
            "a write needs "
                + toWrite
                + " of "
                + replicas
                + " replicas, lag at most "
                + maxLag
                + " s"
                + afterALoss(toWrite, replicas));
  }

  private static String afterALoss(long toWrite, int replicas) {
    return toWrite == replicas
        ? "; after the loss of one server nothing is granted until there is a new replica"
        : "";
  }

  private static Finding backlog(Facts facts, Terms terms) {
    long ttl = facts.settings().number("repl-backlog-ttl");
    long quarantine = facts.quarantine().toSeconds() + 1;
    if (ttl < 0) {
      return Finding.unknown(
          Check.BACKLOG,
          "it is not told how long a promotion is remembered (repl-backlog-ttl)",
          "grant +config|get to the user; wanted is 3600, the default");
    }
    return terms.guarded() && ttl > 0 && ttl < quarantine
        ? Finding.bad(
            Check.BACKLOG,
            "repl-backlog-ttl "
                + ttl
                + " is shorter than the quarantine of "
                + quarantine
                + " s: the guard may not see that a server was replaced and came back",
            "CONFIG SET repl-backlog-ttl 3600, and CONFIG REWRITE")
        : Finding.ok(Check.BACKLOG, "repl-backlog-ttl " + ttl + " s");
  }
}
