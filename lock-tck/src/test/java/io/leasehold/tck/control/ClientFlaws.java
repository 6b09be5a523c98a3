package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.FENCE_8;
import static io.leasehold.tck.Requirement.LEASE_4;
import static io.leasehold.tck.Requirement.LIVE_A_2;
import static io.leasehold.tck.Requirement.LIVE_A_4;
import static io.leasehold.tck.Requirement.LIVE_A_6;
import static io.leasehold.tck.Requirement.LIVE_B_7;
import static io.leasehold.tck.Requirement.SAFE_12;
import static io.leasehold.tck.Requirement.SAFE_7;
import static io.leasehold.tck.Requirement.SAFE_8;
import static io.leasehold.tck.Requirement.SAFE_9;
import static io.leasehold.tck.Requirement.STOP_1;
import static io.leasehold.tck.Requirement.STOP_2;
import static io.leasehold.tck.Requirement.STOP_3;

import io.leasehold.LockClient;
import io.leasehold.spi.Failed;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.tck.Requirement;
import io.leasehold.tck.bench.Interference;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.wire.ForwardingNode;
import io.leasehold.tck.wire.Tap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Clients that do it wrong on a provider that does it right. */
final class ClientFlaws {
  private ClientFlaws() {}

  static List<Control> all() {
    return List.of(
        tapped("owner ids that count", node -> new RenamedOwners.Counted(node), SAFE_7),
        tapped("owner ids that are used again", node -> new RenamedOwners.Pooled(node), SAFE_7),
        Control.client(
            "time that a reply took counts as valid", new LateStart(), SAFE_8, SAFE_9, LEASE_4),
        tapped("lost reply counts as held", ClientFlaws::optimistic, SAFE_12, LIVE_B_7),
        tapped(
            "giving up without cleaning up", ClientFlaws::untidy, LIVE_A_2, STOP_1, STOP_2, STOP_3),
        tapped("requests without a deadline", ClientFlaws::deadlineLeftOut, LIVE_A_4),
        tapped("renewal that does not stop", EndlessRenewal::new, LIVE_A_6),
        Control.client("re-entry that asks again", new AskingReentry(), FENCE_8));
  }

  static Control tapped(String name, Tap flaw, Requirement... fails) {
    Interference interference =
        new Interference() {
          @Override
          public void before(Opening opening) {
            opening.tap(flaw);
          }
        };
    return Control.client(name, interference, fails);
  }

  private static LockNode optimistic(LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        return super.grant(request)
            .thenApply(
                reply ->
                    reply instanceof Failed failed && failed.kind().isAmbiguous()
                        ? new Granted(request.proposal(), request.proposal())
                        : reply);
      }
    };
  }

  /** Releases only what it knows to have been granted. */
  private static LockNode untidy(LockNode node) {
    Set<String> granted = ConcurrentHashMap.newKeySet();
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        return super.grant(request)
            .thenApply(
                reply -> {
                  if (reply instanceof Granted) {
                    granted.add(request.owner());
                  }
                  return reply;
                });
      }

      @Override
      public CompletionStage<TransferReply> transfer(TransferRequest request) {
        return super.transfer(request)
            .thenApply(
                reply -> {
                  if (reply instanceof Granted) {
                    granted.add(request.to());
                  }
                  return reply;
                });
      }

      @Override
      public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        return granted.contains(request.owner())
            ? super.release(request)
            : CompletableFuture.completedFuture(
                new NotHeld(NotHeld.Cause.ABSENT, System.currentTimeMillis() * 1_000));
      }
    };
  }

  private static LockNode deadlineLeftOut(LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        return super.grant(Requests.withoutDeadline(request));
      }
    };
  }

  private static final class AskingReentry implements Interference {
    @Override
    public LockClient after(LockClient client) {
      return new AskingClient(client);
    }
  }
}
