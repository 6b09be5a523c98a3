package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.SAFE_1;

import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.LockNode;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.toy.ToyServer;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Flaws in exclusion. */
final class ExclusionFlaws {
  private ExclusionFlaws() {}

  static List<Control> all() {
    return List.of(
        Control.provider(
            "check then set", (toy, node, url, context) -> checkThenSet(toy, node), SAFE_1));
  }

  /** Looks whether the lock is free and takes it in two steps. */
  private static LockNode checkThenSet(Toy toy, LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        ToyServer server = toy.server();
        boolean free = server.entry(request.name()) == null;
        if (free) {
          Pause.millis(2);
          server.erase(request.name());
        }
        return super.grant(request);
      }
    };
  }
}
