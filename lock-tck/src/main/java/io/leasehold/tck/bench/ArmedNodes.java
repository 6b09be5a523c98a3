package io.leasehold.tck.bench;

import io.leasehold.tck.Quorum;
import java.util.ArrayList;
import java.util.List;

/**
 * Faults of the single servers of a quorum, which heal when the check has ended. A quorum vouches
 * for all of its servers together, and so only when none of them is broken.
 */
final class ArmedNodes implements AutoCloseable {
  private final List<ArmedNode> nodes = new ArrayList<>();
  private final Voucher voucher;
  private volatile boolean doubtful;

  ArmedNodes(Quorum quorum, Voucher voucher) {
    this.voucher = voucher;
    for (int i = 0; i < quorum.size(); i++) {
      nodes.add(new ArmedNode(quorum.node(i), this));
    }
  }

  ArmedNode get(int node) {
    return nodes.get(node);
  }

  /** A server is a new process, or is about to be. */
  void doubt() {
    doubtful = true;
  }

  void vouchIfWhole() {
    if (!doubtful || nodes.stream().anyMatch(ArmedNode::isBroken)) {
      return;
    }
    voucher.vouchOrThrow();
    doubtful = false;
  }

  /** Mends all of them. One that cannot be mended keeps no other from it. */
  @Override
  public void close() {
    RuntimeException trouble = null;
    for (ArmedNode node : nodes) {
      try {
        node.mend();
      } catch (RuntimeException e) {
        if (trouble == null) {
          trouble = e;
        } else {
          trouble.addSuppressed(e);
        }
      }
    }
    if (trouble != null) {
      throw trouble;
    }
    vouchIfWhole();
  }
}
