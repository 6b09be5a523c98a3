package io.leasehold.tck.history;

import static io.leasehold.tck.history.Acquisition.NEVER;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Nobody waits for too long for a lock that is free while the servers are well. Calls for several
 * locks at once are not judged as waiters; others may overtake them.
 */
final class WaitingRules {
  /** So many calls in a row that fail are no accident. */
  private static final int FAILURES = 3;

  /** A call that waits. */
  record Demand(long from, long to, Acquisition call) {}

  private final LockHistory lock;
  private final Weather weather;
  private final Findings findings;
  private final Occupancy occupancy;
  private final long bound;
  private final List<Acquisition> grants = new ArrayList<>();

  WaitingRules(LockHistory lock, Weather weather, HistoryBounds bounds, Findings findings) {
    this.lock = lock;
    this.weather = weather;
    this.findings = findings;
    this.bound = ClientLog.nanos(bounds.servedWithin());
    this.occupancy = new Occupancy(ClientLog.nanos(bounds.longestLease()));
  }

  void check() {
    if (bound == 0) {
      return;
    }
    lock.calls.stream().filter(Acquisition::isGranted).forEach(grants::add);
    grants.sort(Comparator.comparingLong(grant -> grant.granted));
    List<Demand> demands = demands();
    if (!demands.isEmpty()) {
      starving(demands);
      HoardRules.check(lock, grants, demands, bound, weather, findings);
    }
    failing();
  }

  /** Who waits, and when; not while something is done to its own process. */
  private List<Demand> demands() {
    List<Demand> demands = new ArrayList<>();
    for (Acquisition call : lock.calls) {
      boolean waits = call.waitNanos < 0 || call.waitNanos >= bound;
      long to = call.returned() == NEVER ? call.client.lastSeen : call.returned();
      if (waits && !call.isSet() && to - call.called >= bound) {
        weather
            .storms(call.client)
            .without(
                call.called,
                to,
                (from, until) -> {
                  if (until - from >= bound) {
                    demands.add(new Demand(from, until, call));
                  }
                });
      }
    }
    demands.sort(Comparator.comparingLong(Demand::from));
    return demands;
  }

  private void starving(List<Demand> demands) {
    Starving starving = new Starving(demands);
    FreeTimes.of(
        lock, grants, occupancy, (from, to) -> weather.storms().without(from, to, starving));
  }

  /** Looks at the times when the lock was free and the servers well, in order. */
  private final class Starving implements Spans.Taker {
    private final List<Demand> demands;
    private int next; // those before it began before the time that is looked at
    private @Nullable Demand longest; // of those

    Starving(List<Demand> demands) {
      this.demands = demands;
    }

    @Override
    public void span(long from, long to) {
      if (to - from < bound) {
        return;
      }
      for (; next < demands.size() && demands.get(next).from <= from; next++) {
        Demand demand = demands.get(next);
        longest = longest == null || demand.to > longest.to ? demand : longest;
      }
      Demand starved = longest;
      if (starved == null || starved.to - from < bound) {
        // Every demand lasts for the bound at least.
        boolean comes = next < demands.size() && demands.get(next).from <= to - bound;
        starved = comes ? demands.get(next) : null;
      }
      if (starved != null) {
        long since = Math.max(from, starved.from);
        found(Rule.STARVED, starved, since, Math.min(to, starved.to), "while it was free");
      }
    }
  }

  private void found(Rule rule, Demand demand, long since, long until, String how) {
    findings.add(
        rule,
        lock.name,
        since,
        demand.call + " waited for " + Findings.millis(until - since) + " " + how);
  }

  /** Call after call of a client is told that nobody answers, and the servers are well. */
  private void failing() {
    Map<Recorded, List<Acquisition>> failures = new HashMap<>();
    for (Acquisition call : lock.calls) {
      List<Acquisition> row = failures.computeIfAbsent(call.client, c -> new ArrayList<>());
      Acquisition last = row.isEmpty() ? null : row.get(row.size() - 1);
      if (call.refusal != Refusal.UNAVAILABLE) {
        row.clear();
        continue;
      }
      boolean pause = last != null && call.called - last.refused > bound / 2;
      boolean explained =
          weather.storms().touch(call.called, call.refused)
              || weather.explains(call.client, call.called, call.refused);
      if (pause || explained) {
        row.clear();
      }
      if (explained) {
        continue;
      }
      row.add(call);
      long since = row.get(0).called;
      if (row.size() >= FAILURES && call.refused - since >= bound) {
        findings.add(
            Rule.STARVED,
            lock.name,
            since,
            call.client
                + " was told for "
                + Findings.millis(call.refused - since)
                + ", by "
                + row.size()
                + " calls, that nobody answers, and nothing was wrong");
        row.clear();
      }
    }
  }
}
