package io.leasehold.engine;

import io.leasehold.LockListener.AcquireCall;
import io.leasehold.spi.Capability;
import io.leasehold.spi.LockNode;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * One kind of lock, as the node of a client serves it: the node itself, for plain locks, or one of
 * its views. Like the {@link Engine} it has several views of that: one for blocking callers, which
 * may do its work on their thread, one for everybody else, and one for renewals.
 */
final class Facet {

  /** What differs in how the engine treats a kind of lock. */
  enum Kind {
    PLAIN(AcquireCall.Kind.LOCK),
    /** The reading side of a read-write lock: calls of one client hold it at the same time. */
    READERS(AcquireCall.Kind.READ_LOCK),
    /** The writing side of a read-write lock. */
    WRITERS(AcquireCall.Kind.WRITE_LOCK),
    /** A semaphore: calls of one client hold it at the same time. */
    PERMITS(AcquireCall.Kind.PERMIT),
    /** Several plain locks at once: when one of them is lost, the others must be given back. */
    SEVERAL(AcquireCall.Kind.SEVERAL);

    /** How listeners are told of it. */
    final AcquireCall.Kind told;

    Kind(AcquireCall.Kind told) {
      this.told = told;
    }

    boolean isShared() {
      return this == READERS || this == PERMITS;
    }
  }

  final Kind kind;
  final LockNode direct;
  final LockNode node;
  final LockNode renewing;
  final boolean fencing;
  final boolean wakeUps;

  /** Whether a lease is handed over from call to call inside the client. */
  final boolean handsOver;

  private Facet(Kind kind, LockNode direct, LockNode node, LockNode renewing) {
    this.kind = kind;
    this.direct = direct;
    this.node = node;
    this.renewing = renewing;
    Set<Capability> can = direct.capabilities();
    this.fencing = can.contains(Capability.FENCING);
    this.wakeUps = can.contains(Capability.WAKE_UPS);
    this.handsOver = kind == Kind.PLAIN && can.contains(Capability.TRANSFER);
  }

  /**
   * Plain locks.
   *
   * @param node one that does not block
   * @param renewing one that does not block, with threads of its own
   */
  static Facet plain(LockNode direct, LockNode node, LockNode renewing) {
    return new Facet(Kind.PLAIN, direct, node, renewing);
  }

  /** A further kind of lock of the same node. */
  Facet of(Kind other, UnaryOperator<LockNode> view) {
    return new Facet(other, view.apply(direct), view.apply(node), view.apply(renewing));
  }
}
