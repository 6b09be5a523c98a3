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

  @Override
  public String toString() {
    return process + "/" + id;
  }
}
