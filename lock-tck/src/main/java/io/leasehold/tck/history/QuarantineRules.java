package io.leasehold.tck.history;

import java.util.List;

/**
 * Servers that have restarted grant nothing until every lease that they may have forgotten has
 * ended. A grant in that time is certain when its call began after they were up again; one whose
 * call began before may have been on its way back for no longer than the bound.
 */
final class QuarantineRules {
  private QuarantineRules() {}

  static void check(History history, HistoryBounds bounds, Findings findings) {
    long quarantine = ClientLog.nanos(bounds.quarantine());
    if (quarantine == 0) {
      return;
    }
    for (History.Fault fault : history.faults()) {
      boolean ofAll = fault.target().equals("*") || bounds.tolerated() == 0;
      if (fault.restarts() && ofAll && !history.isProcess(fault.target())) {
        check(history.calls(), fault, quarantine, bounds, findings);
      }
    }
  }

  private static void check(
      List<Acquisition> calls,
      History.Fault fault,
      long quarantine,
      HistoryBounds bounds,
      Findings findings) {
    long bound = ClientLog.nanos(bounds.servedWithin());
    long up = fault.toNanos();
    long end = Claims.plus(fault.fromNanos(), quarantine);
    for (Acquisition call : calls) {
      if (call.called > end) {
        return; // they are in the order of their calls
      }
      boolean late = bound > 0 && call.granted > Claims.plus(up, bound);
      if (call.isGranted() && call.granted < end && (call.called > up || late)) {
        findings.add(
            Rule.GRANT_IN_QUARANTINE,
            String.join(",", call.locks),
            call.granted,
            call + " was granted " + Findings.millis(call.granted - up) + " after " + fault.kind());
      }
    }
  }
}
