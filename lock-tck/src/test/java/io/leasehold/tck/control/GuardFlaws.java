package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.SAFE_10;

import io.leasehold.spi.Busy;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.toy.ToyGuard;
import io.leasehold.tck.toy.Waiters;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** Guards with a hole. */
final class GuardFlaws {
  private GuardFlaws() {}

  static List<Control> all() {
    return List.of(
        Control.guard(
            "server without a mark is taken for new",
            (toy, node, url, context) -> vouchingIf(toy, node, toy.server().guard()::isForgotten),
            SAFE_10),
        Control.guard(
            "restart with data is not noticed",
            (toy, node, url, context) -> vouchingIf(toy, node, toy.server().guard()::isFromBefore),
            SAFE_10),
        Control.guard(
            "quarantine shorter than a lease",
            (toy, node, url, context) -> new Impatient(toy, node),
            SAFE_10),
        Control.guard(
                "guarded is told as busy",
                (toy, node, url, context) -> guardedAsBusy(node),
                SAFE_10)
            .without("LIVE-B-6"), // whoever asks before the servers are vouched for is misled
        Control.guard(
            "guard that stops extensions", (toy, node, url, context) -> stopping(node), SAFE_10),
        Control.guard(
            "raise that is not guarded",
            (toy, node, url, context) -> raisingAnyway(toy, node, url),
            SAFE_10),
        Control.guard(
            "hand-over that is not guarded",
            (toy, node, url, context) -> handingOverAnyway(toy, node, url),
            SAFE_10));
  }

  private static LockNode vouchingIf(Toy toy, LockNode node, BooleanSupplier unnoticed) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        if (unnoticed.getAsBoolean()) {
          toy.server().guard().vouch(ToyGuard.OFF);
        }
        return super.grant(request);
      }
    };
  }

  private static LockNode guardedAsBusy(LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        return super.grant(request)
            .thenApply(
                reply ->
                    reply instanceof Guarded guarded
                        ? new Busy(guarded.remainingMillis(), guarded.serverMicros())
                        : reply);
      }
    };
  }

  /** What it may have lost, it does not extend: nor what it still has. */
  private static LockNode stopping(LockNode node) {
    return new ForwardingNode(node) {
      private volatile boolean guarded;

      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        return super.grant(request)
            .thenApply(
                reply -> {
                  guarded = reply instanceof Guarded;
                  return reply;
                });
      }

      @Override
      public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
        Failed failed = new Failed(FailureKind.OTHER, "the server is guarded");
        return guarded
            ? CompletableFuture.completedFuture(
                requests.stream().<ExtendReply>map(request -> failed).toList())
            : super.extend(requests);
      }
    };
  }

  private static LockNode raisingAnyway(Toy toy, LockNode node, LockUrl url) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<RaiseReply> raise(RaiseRequest request) {
        return super.raise(request)
            .thenApply(
                reply ->
                    reply instanceof Guarded
                        ? toy.server()
                            .raise(request, url.get(Options.FENCE_RETENTION), ToyGuard.OFF)
                        : reply);
      }
    };
  }

  private static LockNode handingOverAnyway(Toy toy, LockNode node, LockUrl url) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<TransferReply> transfer(TransferRequest request) {
        return toy.server().guard().isFromBefore() || isGuarded()
            ? CompletableFuture.completedFuture(
                toy.server()
                    .transfer(
                        request,
                        new Waiters.Client(),
                        url.get(Options.FENCE_RETENTION),
                        ToyGuard.OFF))
            : super.transfer(request);
      }

      private boolean isGuarded() {
        return toy.server().guard().isInQuarantine(toy.server().nowMicros());
      }
    };
  }

  /** Waits a second after a restart, whatever leases there may have been. */
  private static final class Impatient extends ForwardingNode {
    private static final long PATIENCE_NANOS = 1_000_000_000L;

    private final Toy toy;
    private volatile long sinceNanos;

    Impatient(Toy toy, LockNode node) {
      super(node);
      this.toy = toy;
    }

    @Override
    public CompletionStage<GrantReply> grant(GrantRequest request) {
      long since = sinceNanos;
      if (since != 0 && System.nanoTime() - since > PATIENCE_NANOS) {
        toy.server().guard().vouch(ToyGuard.OFF);
      }
      return super.grant(request)
          .thenApply(
              reply -> {
                if (!(reply instanceof Guarded)) {
                  sinceNanos = 0;
                } else if (since == 0) {
                  sinceNanos = System.nanoTime();
                }
                return reply;
              });
    }
  }
}
