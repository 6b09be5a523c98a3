package io.leasehold.tck.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Decides whether a history is one that was promised. What it reports has happened, whatever came
 * between any two instructions of the clients; what nobody was asked about, it cannot know. The
 * rules about lateness suppose that no process stalls for as long as {@link
 * HistoryBounds#servedWithin}.
 *
 * <p>It looks at every event a bounded number of times, beside sorting: a history of millions of
 * events takes seconds.
 */
public final class HistoryChecker {
  /** How many violations of a rule are told for a lock. */
  static final int AT_MOST = 10;

  private HistoryChecker() {}

  /** Judges a history. */
  public static HistoryVerdict check(History history, HistoryBounds bounds) {
    List<Acquisition> calls = history.calls();
    long origin = calls.isEmpty() ? 0 : calls.get(0).called;
    Findings findings = new Findings(origin);
    Weather weather = new Weather(history, bounds);
    LeaseRules leases = new LeaseRules(history, weather, bounds, findings);
    calls.forEach(leases::check);
    QuarantineRules.check(history, bounds, findings);
    byLock(history).values().forEach(lock -> check(lock, weather, bounds, findings));
    return verdict(history, findings);
  }

  private static void check(
      LockHistory lock, Weather weather, HistoryBounds bounds, Findings findings) {
    ClaimRules.check(lock, bounds, findings);
    TokenRules.check(lock, findings);
    BusyRules.check(lock, weather, bounds, findings);
    new WaitingRules(lock, weather, bounds, findings).check();
  }

  private static Map<String, LockHistory> byLock(History history) {
    Map<String, LockHistory> locks = new LinkedHashMap<>();
    for (Acquisition call : history.calls()) {
      for (String name : call.locks()) {
        LockHistory.Family family = LockHistory.Family.of(call.kind());
        locks
            .computeIfAbsent(family + " " + name, key -> new LockHistory(family, name))
            .calls
            .add(call);
      }
    }
    for (History.Force force : history.forces()) {
      LockHistory forced = locks.get(LockHistory.Family.MUTEX + " " + force.lock());
      if (forced != null) {
        forced.forces.add(force);
      }
    }
    return locks;
  }

  private static HistoryVerdict verdict(History history, Findings findings) {
    long operations = 0;
    long grants = 0;
    long refusals = 0;
    long losses = 0;
    for (Acquisition call : history.calls()) {
      operations += call.release == Acquisition.NEVER ? 1 : 2;
      grants += call.isGranted() ? 1 : 0;
      refusals += call.refused == Acquisition.NEVER ? 0 : 1;
      losses += call.lost == Acquisition.NEVER && call.ending != Ending.LOST ? 0 : 1;
    }
    Map<String, Long> faults = new TreeMap<>();
    history.faults().forEach(fault -> faults.merge(fault.kind(), 1L, Long::sum));
    return new HistoryVerdict(
        operations, grants, refusals, losses, faults, new ArrayList<>(findings.inOrder()));
  }
}
