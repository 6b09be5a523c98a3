package io.leasehold.ctl.doctor;

import io.leasehold.ctl.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What is looked at on every server by itself. */
final class ServerChecks {
  private static final int LEAST_MAJOR = 6;
  private static final int LEAST_MINOR = 2;

  /** A renewal is due after a third of the lease, and may have to be repeated. */
  private static final int ROUND_TRIPS_IN_A_LEASE = 10;

  private static final int FEWEST_ROUND_TRIPS = 3;
  private static final Duration TELLING_DIFFERENCE = Duration.ofSeconds(2);

  private ServerChecks() {}

  /** Of a primary, or of the replica that may take its place. */
  static List<Finding> of(Facts facts, Terms terms) {
    return List.of(
        version(facts),
        eviction(facts, terms),
        persistence(facts, terms),
        facts.permissions().finding(),
        clock(facts),
        latency(facts, terms));
  }

  static Finding version(Facts facts) {
    String version = facts.version();
    String[] parts = version.split("\\.", -1);
    if (parts.length < 2 || !(parts[0] + parts[1]).matches("\\d{2,6}")) {
      return Finding.unknown(
          Check.VERSION, "the server does not tell its version", "grant +info to the user");
    }
    int major = Integer.parseInt(parts[0]);
    boolean recent =
        major > LEAST_MAJOR || (major == LEAST_MAJOR && Integer.parseInt(parts[1]) >= LEAST_MINOR);
    return recent
        ? Finding.ok(Check.VERSION, version)
        : Finding.bad(
            Check.VERSION,
            version + " is too old: scripts and guard are made and tested for 6.2 and newer",
            "upgrade to 6.2, better 7.0 or newer");
  }

  /** A server that locks are to be kept on must be a primary. */
  static Finding role(Facts facts) {
    if (facts.info().find("role").isEmpty()) {
      return Finding.unknown(
          Check.ROLE, "the server does not tell its role", "grant +info to the user");
    }
    return facts.isReplica()
        ? Finding.bad(
            Check.ROLE,
            "a replica, of "
                + facts.info().text("master_host")
                + ":"
                + facts.info().text("master_port")
                + ": it takes no locks",
            "name the primary in the URL, or the sentinels (redis-sentinel://)")
        : Finding.ok(Check.ROLE, "primary");
  }

  static Finding eviction(Facts facts, Terms terms) {
    Info info = facts.info();
    if (info.find("maxmemory").isEmpty()) {
      return Finding.unknown(
          Check.EVICTION, "the server does not tell its maxmemory", "grant +info to the user");
    }
    String policy = info.text("maxmemory_policy");
    boolean bounded = !info.is("maxmemory", "0");
    if (bounded && !policy.equals("noeviction")) {
      return Finding.bad(
          Check.EVICTION,
          "maxmemory "
              + info.text("maxmemory_human")
              + " with "
              + policy
              + ": locks that are held may be dropped"
              + (terms.guarded() ? ", so clients refuse this server" : " (LH-201)"),
          "CONFIG SET maxmemory-policy noeviction, and CONFIG REWRITE");
    }
    return Finding.ok(Check.EVICTION, bounded ? "noeviction" : "no maxmemory");
  }

  static Finding persistence(Facts facts, Terms terms) {
    Info info = facts.info();
    if (info.find("aof_enabled").isEmpty()) {
      return Finding.unknown(
          Check.PERSISTENCE, "the server does not tell what it writes", "grant +info to the user");
    }
    boolean failing =
        info.is("aof_last_write_status", "err") || info.is("rdb_last_bgsave_status", "err");
    if (failing) {
      return Finding.bad(
          Check.PERSISTENCE,
          "the server cannot write to its disk, and may refuse locks for it (MISCONF)",
          "make room, or mend the disk or the folder's permissions; then BGSAVE");
    }
    boolean appends = info.is("aof_enabled", "1");
    String kept = appends ? "appendonly yes" : "appendonly no";
    if (terms.guarded()) {
      return Finding.ok(Check.PERSISTENCE, kept + "; the guard bears a restart, with a pause");
    }
    String restart = "without the guard, a restart forgets locks that are held";
    if (!appends) {
      boolean snapshots = !facts.settings().text("save").isEmpty();
      return Finding.bad(
          Check.PERSISTENCE,
          kept + (snapshots ? ", snapshots only: " : ": ") + restart,
          "guard=on in the URL of all clients; or appendonly yes and appendfsync always");
    }
    return facts
        .settings()
        .find("appendfsync")
        .map(
            when ->
                when.equals("always")
                    ? Finding.ok(Check.PERSISTENCE, kept + ", appendfsync always")
                    : Finding.warn(
                        Check.PERSISTENCE,
                        kept
                            + ", appendfsync "
                            + when
                            + ": when the machine fails, the locks of the last "
                            + (when.equals("everysec") ? "seconds" : "half minute")
                            + " are forgotten",
                        "guard=on in the URL of all clients; or appendfsync always"))
        .orElseGet(
            () ->
                Finding.unknown(
                    Check.PERSISTENCE,
                    kept + "; how soon it is on the disk is not told",
                    "grant +config|get to the user, or run doctor as another one"));
  }

  static Finding clock(Facts facts) {
    if (facts.clock().isEmpty()) {
      return Finding.unknown(Check.CLOCK, "the server does not tell the time", "grant +time");
    }
    Clock clock = facts.clock().get();
    Duration ahead = clock.ahead();
    String text =
        shown(ahead.abs())
            + (ahead.isNegative() ? " behind" : " ahead of")
            + " this machine, to within "
            + shown(Duration.ofNanos(clock.uncertainMicros() * 1_000));
    long beyond = ahead.abs().toNanos() / 1_000 - clock.uncertainMicros();
    return beyond > TELLING_DIFFERENCE.toNanos() / 1_000
        ? Finding.warn(
            Check.CLOCK,
            text + ": one of them is not kept in step, and may be set while locks are held",
            "run NTP (chrony) in slewing mode on servers and clients")
        : Finding.ok(Check.CLOCK, text);
  }

  static Finding latency(Facts facts, Terms terms) {
    if (facts.clock().isEmpty()) {
      return Finding.unknown(Check.LATENCY, "could not be measured", "grant +time");
    }
    Clock clock = facts.clock().get();
    Duration slow = clock.percentile(99);
    Duration patience = terms.patience();
    String measured =
        "p50 "
            + shown(clock.percentile(50))
            + ", p99 "
            + shown(slow)
            + " of "
            + clock.nanos().size();
    String limits =
        terms.patienceOption()
            + " "
            + Durations.shown(patience)
            + ", leaseTime "
            + Durations.shown(terms.leaseTime());
    boolean tooLate = slow.compareTo(patience) >= 0;
    boolean tooLong = slow.multipliedBy(FEWEST_ROUND_TRIPS).compareTo(terms.leaseTime()) >= 0;
    String fix =
        "a larger "
            + (tooLate || slow.multipliedBy(2).compareTo(patience) >= 0
                ? terms.patienceOption()
                : "leaseTime")
            + ", or servers that are nearer or less busy";
    if (tooLate || tooLong) {
      return Finding.bad(
          Check.LATENCY,
          measured + ", which is too slow for " + limits + ": leases are lost while they are held",
          fix);
    }
    boolean scarce =
        slow.multipliedBy(2).compareTo(patience) >= 0
            || slow.multipliedBy(ROUND_TRIPS_IN_A_LEASE).compareTo(terms.leaseTime()) >= 0;
    return scarce
        ? Finding.warn(Check.LATENCY, measured + ": little reserve with " + limits, fix)
        : Finding.ok(Check.LATENCY, measured + "; " + limits);
  }

  /** A short time, as a person reads it. */
  static String shown(Duration time) {
    return time.compareTo(Duration.ofSeconds(1)) < 0
        ? String.format(Locale.ROOT, "%.2f ms", time.toNanos() / 1e6)
        : String.format(Locale.ROOT, "%.1f s", time.toNanos() / 1e9);
  }
}
