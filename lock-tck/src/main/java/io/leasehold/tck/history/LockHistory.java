package io.leasehold.tck.history;

import java.util.ArrayList;
import java.util.List;

/** What happened to one lock. */
final class LockHistory {

  /** Locks of one name and different families have nothing to do with each other. */
  enum Family {
    MUTEX,
    READ_WRITE,
    SEMAPHORE;

    static Family of(LockKind kind) {
      return switch (kind) {
        case MUTEX -> MUTEX;
        case READ, WRITE -> READ_WRITE;
        case PERMIT -> SEMAPHORE;
      };
    }
  }

  final Family family;
  final String name;

  /** In the order in which they began. */
  final List<Acquisition> calls = new ArrayList<>();

  final List<History.Force> forces = new ArrayList<>(0);

  LockHistory(Family family, String name) {
    this.family = family;
    this.name = name;
  }
}
