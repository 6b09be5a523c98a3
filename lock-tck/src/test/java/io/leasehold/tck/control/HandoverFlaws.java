package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.LIVE_A_2;
import static io.leasehold.tck.Requirement.LIVE_A_9;

import io.leasehold.spi.Failed;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Clients that hand a lock from call to call, and do it wrong. */
final class HandoverFlaws {
  private HandoverFlaws() {}

  static List<Control> all() {
    return List.of(
        ClientFlaws.tapped("client that never yields", Keeping::new, LIVE_A_9),
        ClientFlaws.tapped(
            "new owner is not released when a hand-over failed",
            node -> new Leaving(node, TransferRequest::to),
            LIVE_A_2),
        ClientFlaws.tapped(
            "old owner is not released when a hand-over failed",
            node -> new Leaving(node, TransferRequest::from),
            LIVE_A_2));
  }

  /**
   * Says that it has released a lock for which others wait, and keeps it for its own next call.
   * When there is none for a while, it lets it go.
   */
  private static final class Keeping extends ForwardingNode {
    private static final long A_WHILE_MILLIS = 100;
    private static final long TTL_MILLIS = 10_000;

    private final Map<String, String> kept = new ConcurrentHashMap<>();
    private final Set<String> wanted = ConcurrentHashMap.newKeySet();

    Keeping(LockNode node) {
      super(node);
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
      if (!wanted.remove(request.owner())) {
        return super.release(request);
      }
      String keeper = UUID.randomUUID().toString();
      return super.transfer(
              new TransferRequest(request.name(), request.owner(), keeper, TTL_MILLIS, 1))
          .thenCompose(reply -> kept(request, keeper, reply));
    }

    private CompletionStage<ReleaseReply> kept(
        ReleaseRequest request, String keeper, TransferReply reply) {
      if (!(reply instanceof Granted granted)) {
        return super.release(request);
      }
      kept.put(request.name(), keeper);
      CompletableFuture.delayedExecutor(A_WHILE_MILLIS, TimeUnit.MILLISECONDS)
          .execute(
              () -> {
                if (kept.remove(request.name(), keeper)) {
                  CompletionStage<ReleaseReply> unused =
                      super.release(new ReleaseRequest(request.name(), keeper));
                }
              });
      return CompletableFuture.completedFuture(new Released(granted.serverMicros()));
    }

    @Override
    public CompletionStage<GrantReply> grant(GrantRequest request) {
      String keeper = kept.remove(request.name());
      CompletionStage<GrantReply> reply =
          keeper == null ? super.grant(request) : fromKeeper(request, keeper);
      return reply.thenApply(
          granted -> {
            if (request.queueing() != Queueing.FAIR) {
              note(request.owner(), granted);
            }
            return granted;
          });
    }

    private CompletionStage<GrantReply> fromKeeper(GrantRequest request, String keeper) {
      return super.transfer(
              new TransferRequest(
                  request.name(), keeper, request.owner(), request.ttlMillis(), request.proposal()))
          .thenCompose(
              reply ->
                  reply instanceof Granted granted
                      ? CompletableFuture.completedFuture(granted)
                      : super.grant(request));
    }

    @Override
    public CompletionStage<TransferReply> transfer(TransferRequest request) {
      return super.transfer(request)
          .thenApply(
              granted -> {
                note(request.to(), granted);
                return granted;
              });
    }

    private void note(String owner, Object reply) {
      if (reply instanceof Granted granted && granted.othersWaiting() > 0) {
        wanted.add(owner);
      }
    }
  }

  /** Does not release one of the two owners of a hand-over whose reply was lost. */
  private static final class Leaving extends ForwardingNode {
    private final Function<TransferRequest, String> left;
    private final Set<String> owners = ConcurrentHashMap.newKeySet();

    Leaving(LockNode node, Function<TransferRequest, String> left) {
      super(node);
      this.left = left;
    }

    @Override
    public CompletionStage<TransferReply> transfer(TransferRequest request) {
      return super.transfer(request)
          .thenApply(
              reply -> {
                if (reply instanceof Failed) {
                  owners.add(left.apply(request));
                }
                return reply;
              });
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
      return owners.contains(request.owner())
          ? CompletableFuture.completedFuture(
              new NotHeld(NotHeld.Cause.ABSENT, System.currentTimeMillis() * 1_000))
          : super.release(request);
    }
  }
}
