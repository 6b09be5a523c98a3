package io.leasehold.ctl.doctor;

import io.leasehold.ctl.Durations;
import io.leasehold.ctl.doctor.Terms.Topology;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisProbe;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Whether a server that may have lost locks grants nothing, and for how long. */
final class GuardChecks {
  private static final String KEY = "leasehold:guard";
  private static final int MOST_STEPS = 200;
  private static final int AT_ONCE = 200;

  private GuardChecks() {}

  /**
   * What a server remembers of the server that granted last.
   *
   * @param run its run id
   * @param quarantineMillis the longest that any client asked for
   * @param untilMicros nothing is granted before, on the server's clock
   */
  private record Memory(String run, long quarantineMillis, double untilMicros) {}

  /**
   * @param others all that were asked, for the name of the one that granted last
   */
  static List<Finding> of(RedisProbe probe, Facts facts, Terms terms, List<Facts> others) {
    if (!terms.distlock()) {
      String text = "none with layout=" + terms.layout();
      return List.of(
          terms.topology() == Topology.STANDALONE
              ? Finding.ok(Check.GUARD, text + ": see persistence")
              : Finding.bad(
                  Check.GUARD,
                  text + ": a failover may lose locks that are held (LH-208)",
                  "move to layout=distlock when all clients can: docs/migration.md"));
    }
    Optional<List<Memory>> found = memories(probe, facts, terms);
    if (found.isEmpty()) {
      return List.of(
          Finding.unknown(
              Check.GUARD, "its memory cannot be read", "grant +hmget and +scan to the user"));
    }
    List<Memory> memories = found.get();
    if (!terms.guarded()) {
      return List.of(off(terms, !memories.isEmpty()));
    }
    return List.of(
        memories.isEmpty() ? unused(facts) : state(facts, memories, others),
        maxLease(facts, memories));
  }

  private static Finding off(Terms terms, boolean othersHaveIt) {
    if (terms.topology() != Topology.STANDALONE) {
      return Finding.bad(
          Check.GUARD,
          "off: a restart or failover may lose locks that are held, and grant them again",
          "leave guard=off out of the URL");
    }
    return othersHaveIt
        ? Finding.warn(
            Check.GUARD,
            "off for this URL, but clients with guard=on have been here: these locks are not"
                + " protected from a restart",
            "the same guard=on in the URL of all clients")
        : Finding.ok(Check.GUARD, "off, as is usual for one server: see persistence");
  }

  private static Finding unused(Facts facts) {
    long uptime = facts.info().number("uptime_in_seconds");
    Duration left = facts.quarantine().minusSeconds(Math.max(0, uptime));
    return left.isNegative() || left.isZero()
        ? Finding.ok(Check.GUARD, "on; nothing was granted here yet")
        : Finding.warn(
            Check.GUARD,
            "on; the server is new, and grants nothing for another " + seconds(left),
            "wait; or, if no lock that it may have forgotten is held, lockctl vouch");
  }

  private static Finding state(Facts facts, List<Memory> memories, List<Facts> others) {
    long ahead = facts.clock().map(Clock::aheadMicros).orElse(0L);
    double now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) + ahead;
    double until = memories.stream().mapToDouble(Memory::untilMicros).max().orElse(0);
    Optional<Memory> another =
        memories.stream().filter(memory -> !memory.run().equals(facts.runId())).findAny();
    if (until > now) {
      return Finding.warn(
          Check.GUARD,
          "quarantine: nothing is granted for another "
              + seconds(Duration.ofMillis((long) ((until - now) / 1_000)))
              + grantedBy(another, others),
          "wait; or, if no lock that was lost can still be held, lockctl vouch");
    }
    if (another.isPresent()) {
      return Finding.warn(
          Check.GUARD,
          "restarted or promoted since the last grant: the next request begins a quarantine of "
              + seconds(facts.quarantine())
              + grantedBy(another, others),
          "wait for it; or, if no lock that was lost can still be held, lockctl vouch");
    }
    return Finding.ok(Check.GUARD, "on; this server granted last");
  }

  private static String grantedBy(Optional<Memory> last, List<Facts> others) {
    return last.map(
            memory ->
                others.stream()
                    .filter(facts -> facts.runId().equals(memory.run()))
                    .map(facts -> "; the last grant was given by " + facts.server())
                    .findFirst()
                    .orElse("; the last grant was given by a server, or in a life, that is over"))
        .orElse("");
  }

  private static Finding maxLease(Facts facts, List<Memory> memories) {
    Duration ours = facts.quarantine();
    Optional<Duration> theirs =
        memories.stream()
            .map(memory -> Duration.ofMillis(memory.quarantineMillis()))
            .max(Comparator.naturalOrder());
    if (theirs.isEmpty() || theirs.get().equals(ours)) {
      return Finding.ok(Check.MAX_LEASE, "a quarantine lasts " + seconds(ours) + " for this URL");
    }
    boolean longer = theirs.get().compareTo(ours) > 0;
    return Finding.warn(
        Check.MAX_LEASE,
        "clients of this server have asked for a quarantine of "
            + seconds(theirs.get())
            + ", this URL makes it "
            + seconds(ours)
            + (longer ? " (LH-204)" : ""),
        "give all clients the same maxLease, and all servers the same min-replicas-max-lag");
  }

  /** Empty when it may not be read. */
  private static Optional<List<Memory>> memories(RedisProbe probe, Facts facts, Terms terms) {
    List<byte[]> keys = new ArrayList<>();
    if (terms.topology() == Topology.CLUSTER) {
      Object cursor = "0";
      for (int i = 0; i < MOST_STEPS; i++) {
        List<?> reply =
            Replies.list(
                probe.ask(facts.server(), "SCAN", cursor, "MATCH", KEY + ":*", "COUNT", "500"));
        if (reply.size() != 2) {
          return Optional.empty();
        }
        Replies.list(reply.get(1)).forEach(key -> keys.add((byte[]) key));
        cursor = Replies.text(reply.get(0)).orElse("0");
        if (cursor.equals("0")) {
          break;
        }
      }
    } else {
      keys.add(KEY.getBytes(StandardCharsets.US_ASCII));
    }
    List<Memory> memories = new ArrayList<>();
    for (int from = 0; from < keys.size(); from += AT_ONCE) {
      List<RedisCommand> questions =
          keys.subList(from, Math.min(keys.size(), from + AT_ONCE)).stream()
              .map(key -> RedisCommand.of("HMGET", key, "run", "quarantine", "until"))
              .toList();
      for (Object reply : probe.ask(facts.server(), questions)) {
        List<String> parts = Replies.texts(reply);
        if (parts.size() != 3) {
          return Optional.empty();
        }
        if (!parts.get(0).isEmpty()) {
          memories.add(new Memory(parts.get(0), (long) number(parts.get(1)), number(parts.get(2))));
        }
      }
    }
    return Optional.of(memories);
  }

  private static double number(String text) {
    return text.matches("\\d{1,18}(\\.\\d+)?") ? Double.parseDouble(text) : 0;
  }

  private static String seconds(Duration time) {
    return Durations.shown(Duration.ofSeconds(Math.max(1, (time.toMillis() + 999) / 1_000)));
  }
}
