package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.LEASE_1;
import static io.leasehold.tck.Requirement.LEASE_7;
import static io.leasehold.tck.Requirement.OBS_1;
import static io.leasehold.tck.Requirement.SAFE_6;
import static io.leasehold.tck.Requirement.SAFE_7;

import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.toy.ToyServer.Entry;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Providers that do not ask whose a lock is: they act for whoever holds it. */
final class OwnershipFlaws {
  private OwnershipFlaws() {}

  static List<Control> all() {
    return List.of(
        Control.provider(
            "blind delete",
            (toy, node, url, context) -> blindDelete(toy, node),
            SAFE_6,
            SAFE_7,
            LEASE_7),
        Control.provider(
            "blind extend",
            (toy, node, url, context) -> blindExtend(toy, node),
            SAFE_6,
            LEASE_1,
            OBS_1),
        Control.provider("blind raise", (toy, node, url, context) -> blindRaise(toy, node), SAFE_6),
        Control.provider(
            "blind transfer", (toy, node, url, context) -> blindTransfer(toy, node), SAFE_6));
  }

  /** Whoever holds the lock; the one who asks, when nobody does. */
  private static String holder(Toy toy, String name, String asking) {
    Entry held = toy.server().entry(name);
    return held == null ? asking : held.owner();
  }

  private static LockNode blindDelete(Toy toy, LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        String holder = holder(toy, request.name(), request.owner());
        return super.release(Requests.withOwner(request, holder));
      }
    };
  }

  private static LockNode blindExtend(Toy toy, LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
        return super.extend(
            requests.stream()
                .map(
                    request ->
                        new ExtendRequest(
                            request.name(),
                            holder(toy, request.name(), request.owner()),
                            request.ttlMillis()))
                .toList());
      }
    };
  }

  private static LockNode blindRaise(Toy toy, LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<RaiseReply> raise(RaiseRequest request) {
        String holder = holder(toy, request.name(), request.owner());
        return super.raise(new RaiseRequest(request.name(), holder, request.token()));
      }
    };
  }

  private static LockNode blindTransfer(Toy toy, LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<TransferReply> transfer(TransferRequest request) {
        return super.transfer(
            new TransferRequest(
                request.name(),
                holder(toy, request.name(), request.from()),
                request.to(),
                request.ttlMillis(),
                request.proposal()));
      }
    };
  }
}
