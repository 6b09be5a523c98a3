package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.LIVE_B_5;
import static io.leasehold.tck.Requirement.LIVE_B_6;
import static io.leasehold.tck.Requirement.LIVE_B_7;
import static io.leasehold.tck.Requirement.LIVE_B_8;
import static io.leasehold.tck.Requirement.SAFE_14;
import static io.leasehold.tck.Requirement.STOP_5;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.LockNode;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.wire.ForwardingNode;
import io.leasehold.tck.wire.Operation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/** Providers that do not get over a fault. */
final class FaultFlaws {
  private static final long SULK_NANOS = 30_000_000_000L;

  private FaultFlaws() {}

  static List<Control> all() {
    return List.of(
        Control.provider(
            "scripts are loaded only once",
            (toy, node, url, context) -> loadingOnce(toy, node),
            LIVE_B_5,
            LIVE_B_6),
        Control.provider(
            "everything is forgotten at a restart",
            (toy, node, url, context) -> {
              toy.state().atRestart(toy.server()::loseState);
              return node;
            },
            SAFE_14),
        Control.provider(
            "fences are forgotten at a restart",
            (toy, node, url, context) -> {
              toy.state().atRestart(toy.server()::forgetFences);
              return node;
            },
            SAFE_14),
        Control.provider(
            "no new connection after a restart",
            (toy, node, url, context) -> connectingOnce(toy, node),
            LIVE_B_6),
        Control.provider(
            "no new connection after a cut",
            (toy, node, url, context) -> neverReconnecting(toy, node),
            LIVE_B_6,
            LIVE_B_8),
        Control.provider(
            "unknown is told as busy",
            (toy, node, url, context) -> unknownAsBusy(toy, node),
            LIVE_B_7,
            STOP_5),
        Control.provider(
            "sulks after a time-out", (toy, node, url, context) -> new Sulking(node), LIVE_B_8));
  }

  private static LockNode loadingOnce(Toy toy, LockNode node) {
    int loaded = toy.state().scripts();
    return failingWhen(node, () -> toy.state().scripts() != loaded, FailureKind.OTHER);
  }

  private static LockNode connectingOnce(Toy toy, LockNode node) {
    int connected = toy.state().process();
    return failingWhen(node, () -> toy.state().process() != connected, FailureKind.UNREACHABLE);
  }

  private static LockNode neverReconnecting(Toy toy, LockNode node) {
    int connected = toy.state().connections();
    return failingWhen(
        node, () -> toy.state().connections() != connected, FailureKind.CONNECTION_LOST);
  }

  private static LockNode failingWhen(LockNode node, BooleanSupplier fails, FailureKind kind) {
    return new ForwardingNode(node) {
      @Override
      protected <R> CompletionStage<R> through(
          Operation operation, Supplier<CompletionStage<R>> send, Function<Failed, R> failing) {
        return fails.getAsBoolean()
            ? CompletableFuture.completedFuture(failing.apply(new Failed(kind, "the flaw")))
            : send.get();
      }
    };
  }

  private static LockNode unknownAsBusy(Toy toy, LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        return super.grant(request)
            .thenApply(
                reply -> reply instanceof Failed ? new Busy(50, toy.server().nowMicros()) : reply);
      }
    };
  }

  /** Once a grant was not answered in time, it asks no more for a long while. */
  private static final class Sulking extends ForwardingNode {
    private volatile long untilNanos = System.nanoTime();

    Sulking(LockNode node) {
      super(node);
    }

    @Override
    public CompletionStage<GrantReply> grant(GrantRequest request) {
      if (System.nanoTime() - untilNanos < 0) {
        return CompletableFuture.completedFuture(new Failed(FailureKind.UNREACHABLE, "the flaw"));
      }
      return super.grant(request)
          .thenApply(
              reply -> {
                if (reply instanceof Failed failed && failed.kind() == FailureKind.TIMEOUT) {
                  untilNanos = System.nanoTime() + SULK_NANOS;
                }
                return reply;
              });
    }
  }
}
