package io.leasehold.tck.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * When something explains that clients fail. A fault does from its beginning to its end and for the
 * settling time after; those of servers only while more of them are at fault than is tolerated, and
 * those of a process only for its own clients.
 */
final class Weather {
  private final Spans faults;
  private final Spans storms;
  private final Map<String, Spans> byProcess = new HashMap<>();
  private final long settling;
  private long clocksSet = Long.MAX_VALUE;

  Weather(History history, HistoryBounds bounds) {
    settling = ClientLog.nanos(bounds.settling());
    List<History.Fault> ofServers = new ArrayList<>();
    Map<String, List<History.Fault>> ofProcesses = new HashMap<>();
    Map<String, Boolean> known = new HashMap<>();
    for (History.Fault fault : history.faults()) {
      if (known.computeIfAbsent(fault.target(), history::isProcess)) {
        ofProcesses.computeIfAbsent(fault.target(), t -> new ArrayList<>()).add(fault);
      } else {
        ofServers.add(fault);
        if (fault.kind().contains("clock")) {
          clocksSet = Math.min(clocksSet, fault.fromNanos());
        }
      }
    }
    faults = spans(ofServers, bounds.tolerated(), 0);
    storms = spans(ofServers, bounds.tolerated(), ClientLog.nanos(bounds.quarantine()));
    ofProcesses.forEach((process, some) -> byProcess.put(process, spans(some, 0, 0)));
  }

  /**
   * When more targets than these are at fault, or settling.
   *
   * @param quarantine how much longer a restart counts
   */
  private Spans spans(List<History.Fault> some, int tolerated, long quarantine) {
    TreeMap<Long, List<Runnable>> changes = new TreeMap<>();
    Map<String, Integer> atFault = new HashMap<>();
    for (History.Fault fault : some) {
      changes
          .computeIfAbsent(fault.fromNanos(), at -> new ArrayList<>())
          .add(() -> atFault.merge(fault.target(), 1, Integer::sum));
      changes
          .computeIfAbsent(settled(fault, quarantine), at -> new ArrayList<>())
          .add(
              () ->
                  atFault.computeIfPresent(
                      fault.target(), (target, count) -> count == 1 ? null : count - 1));
    }
    Spans spans = new Spans();
    long since = 0;
    boolean storm = false;
    for (Map.Entry<Long, List<Runnable>> change : changes.entrySet()) {
      change.getValue().forEach(Runnable::run);
      boolean now = atFault.size() > tolerated || atFault.containsKey("*");
      if (now && !storm) {
        since = change.getKey();
      } else if (!now && storm) {
        spans.add(since, change.getKey());
      }
      storm = now;
    }
    if (storm) {
      spans.add(since, Long.MAX_VALUE);
    }
    return spans;
  }

  private long settled(History.Fault fault, long quarantine) {
    long over = Claims.plus(fault.toNanos(), settling);
    return fault.restarts() ? Claims.plus(over, quarantine) : over;
  }

  /** Whether the servers, or this process, were at fault at any time in between. */
  boolean explains(Recorded client, long from, long to) {
    Spans own = byProcess.get(client.process);
    return faults.touch(from, to) || (own != null && own.touch(from, to));
  }

  /** Whether a server's clock was set before a moment: then nobody knows when its locks end. */
  boolean clocksWereSet(long before) {
    return clocksSet <= before;
  }

  /** When too many servers were at fault, or in quarantine: nobody need get a lock then. */
  Spans storms() {
    return storms;
  }

  /** When a process was. */
  Spans storms(Recorded client) {
    Spans own = byProcess.get(client.process);
    return own == null ? new Spans() : own;
  }
}
