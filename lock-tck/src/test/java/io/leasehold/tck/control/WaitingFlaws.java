package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.FAIR_1;
import static io.leasehold.tck.Requirement.FAIR_2;
import static io.leasehold.tck.Requirement.FAIR_3;
import static io.leasehold.tck.Requirement.FAIR_4;
import static io.leasehold.tck.Requirement.LIVE_A_1;
import static io.leasehold.tck.Requirement.LIVE_A_7;
import static io.leasehold.tck.Requirement.LIVE_A_8;
import static io.leasehold.tck.Requirement.LIVE_B_6;
import static io.leasehold.tck.Requirement.OBS_2;

import io.leasehold.spi.Busy;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.Watch;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Providers that let waiters wait. */
final class WaitingFlaws {
  private WaitingFlaws() {}

  static List<Control> all() {
    Map<String, LockNode> reservations = new HashMap<>();
    return List.of(
        Control.provider(
                "lost wake-up",
                (toy, node, url, context) -> mute(node),
                LIVE_A_7,
                OBS_2,
                FAIR_1,
                FAIR_2,
                FAIR_4)
            .without("LIVE-A-9"), // who is not woken, and asks now and then, may be lucky
        Control.provider(
            "watch that ends takes the next one with it",
            (toy, node, url, context) -> new OneEar(node),
            LIVE_A_7),
        Control.provider(
            "busy for an hour, whatever is left",
            (toy, node, url, context) -> exaggerating(node),
            LIVE_A_1,
            LIVE_A_7,
            LIVE_A_8,
            LIVE_B_6),
        Control.provider(
            "lock is kept for whoever was woken",
            (toy, node, url, context) -> new Reserving(toy, node, reservations),
            LIVE_A_8,
            FAIR_3));
  }

  private static LockNode mute(LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<WatchReply> watch(String name, Runnable wake) {
        return super.watch(name, () -> {});
      }
    };
  }

  private static LockNode exaggerating(LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        return super.grant(request)
            .thenApply(
                reply ->
                    reply instanceof Busy busy ? new Busy(3_600_000, busy.serverMicros()) : reply);
      }
    };
  }

  /** Keeps one watch for each name, and ends it for whoever asks. */
  private static final class OneEar extends ForwardingNode {
    private final Map<String, Watch> watches = new ConcurrentHashMap<>();

    OneEar(LockNode node) {
      super(node);
    }

    @Override
    public CompletionStage<WatchReply> watch(String name, Runnable wake) {
      return super.watch(name, wake)
          .thenApply(reply -> reply instanceof Watching own ? shared(name, own.watch()) : reply);
    }

    private Watching shared(String name, Watch own) {
      watches.put(name, own);
      return new Watching(
          () -> {
            Watch last = watches.remove(name);
            if (last != null) {
              last.close();
            }
          });
    }
  }

  /** Refuses everybody but the client that was woken, for as long as that one listens. */
  private static final class Reserving extends ForwardingNode {
    private final Toy toy;
    private final Map<String, LockNode> reservations;

    Reserving(Toy toy, LockNode node, Map<String, LockNode> reservations) {
      super(node);
      this.toy = toy;
      this.reservations = reservations;
    }

    @Override
    public CompletionStage<GrantReply> grant(GrantRequest request) {
      synchronized (reservations) {
        LockNode reserved = reservations.get(request.name());
        if (reserved != null && reserved != this) {
          return CompletableFuture.completedFuture(new Busy(50, toy.server().nowMicros()));
        }
        reservations.remove(request.name());
      }
      return super.grant(request);
    }

    @Override
    public CompletionStage<WatchReply> watch(String name, Runnable wake) {
      AtomicBoolean over = new AtomicBoolean();
      return super.watch(
              name,
              () -> {
                synchronized (reservations) {
                  if (!over.get()) {
                    reservations.put(name, this);
                  }
                }
                wake.run();
              })
          .thenApply(reply -> ending(name, reply, over));
    }

    private WatchReply ending(String name, WatchReply reply, AtomicBoolean over) {
      if (!(reply instanceof Watching watching)) {
        return reply;
      }
      return new Watching(
          () -> {
            watching.watch().close();
            synchronized (reservations) {
              over.set(true);
              reservations.remove(name, this);
            }
          });
    }
  }
}
