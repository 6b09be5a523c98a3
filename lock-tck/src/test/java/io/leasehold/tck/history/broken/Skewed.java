package io.leasehold.tck.history.broken;

import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.LockNode;
import io.leasehold.tck.wire.ForwardingNode;
import io.leasehold.tck.wire.Tap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** A client with a strange idea of the server's clock: it proposes other tokens. */
interface Skewed {
  /** The tokens that were given out last, by name. */
  Map<String, Long> LAST = new ConcurrentHashMap<>();

  /** The token to propose instead of another. */
  long proposal(String name, long right);

  /** On the wire. */
  default Tap tap() {
    return node -> new Proposing(node, this);
  }

  /** Proposes what it is told to. */
  final class Proposing extends ForwardingNode {
    private final Skewed skew;

    Proposing(LockNode node, Skewed skew) {
      super(node);
      this.skew = skew;
    }

    @Override
    public CompletionStage<GrantReply> grant(GrantRequest request) {
      GrantRequest changed =
          new GrantRequest(
              request.name(),
              request.owner(),
              request.ttlMillis(),
              skew.proposal(request.name(), request.proposal()),
              request.notAfter(),
              request.queueing(),
              request.place());
      return super.grant(changed)
          .thenApply(
              reply -> {
                if (reply instanceof Granted granted) {
                  LAST.put(request.name(), granted.token());
                }
                return reply;
              });
    }
  }
}
