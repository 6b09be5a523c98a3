package io.leasehold.tck.history;

import java.util.ArrayList;
import java.util.List;

/** A client of a history. */
final class Recorded {
  final String process;
  final long id;
  final List<History.Fault> faults = new ArrayList<>(0); // done to its process, in order
  long close = Acquisition.NEVER;
  long closed = Acquisition.NEVER;

  /** When its process last wrote anything. */
  long lastSeen = Acquisition.NEVER;

  Recorded(String process, long id) {
    this.process = process;
    this.id = id;
  }

  /**
   * When its process was killed: as soon as that began, unless it has written something since.
   * {@link Acquisition#NEVER} when it was not. Another process of the same name may have taken its
   * place before the fault was over.
   */
  long killed() {
    for (History.Fault fault : faults) {
      if (fault.kills() && lastSeen <= fault.toNanos()) {
        return Math.max(fault.fromNanos(), lastSeen);
      }
    }
    return Acquisition.NEVER;
  }

  @Override
  public String toString() {
    return process + "/" + id;
  }
}
