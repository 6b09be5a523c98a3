package io.leasehold.campaign;

import java.util.List;

/** The names that all workers of a run fight for. Each worker has cold ones of its own beside. */
final class LockNames {
  static final List<String> HOT = List.of("hot-0", "hot-1", "hot-2");
  static final List<String> SHARED = List.of("shared-0", "shared-1", "shared-2", "shared-3");
  static final List<String> LONG = List.of("long-0", "long-1");
  static final List<String> READ_WRITE = List.of("ledger", "catalogue");
  static final String FAIR = "fair-0";
  static final String SEMAPHORE = "permits";
  static final int PERMITS = 3;

  /** Plain locks that lie in different places of a cluster. */
  static final List<String> ANY =
      List.of(
          "hot-0",
          "hot-1",
          "hot-2",
          "shared-0",
          "shared-1",
          "shared-2",
          "shared-3",
          "long-0",
          "long-1",
          "fair-0");

  private LockNames() {}

  /** Whether a name is one that all workers fight for. */
  static boolean isShared(String name) {
    return ANY.contains(name) || READ_WRITE.contains(name) || name.equals(SEMAPHORE);
  }
}
