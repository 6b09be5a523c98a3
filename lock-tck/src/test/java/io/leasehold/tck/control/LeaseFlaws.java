package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.LEASE_1;
import static io.leasehold.tck.Requirement.LEASE_2;
import static io.leasehold.tck.Requirement.LEASE_3;
import static io.leasehold.tck.Requirement.LEASE_4;
import static io.leasehold.tck.Requirement.LEASE_5;
import static io.leasehold.tck.Requirement.LEASE_6;
import static io.leasehold.tck.Requirement.LEASE_7;
import static io.leasehold.tck.Requirement.SAFE_6;
import static io.leasehold.tck.Requirement.SAFE_8;

import io.leasehold.Lease;
import io.leasehold.LeaseLoss;
import io.leasehold.LossReason;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TimeSource;
import io.leasehold.tck.forward.ForwardingLease;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.toy.ToyServer;
import io.leasehold.tck.wire.ForwardingNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Flaws in extending leases, and in telling that they are over. */
final class LeaseFlaws {
  private LeaseFlaws() {}

  static List<Control> all() {
    return List.of(
        Control.client("lease that comes back", new RevivedLeases(), LEASE_1),
        Control.provider(
            "extension that recreates",
            (toy, node, url, context) -> recreating(toy, node),
            SAFE_6,
            LEASE_2),
        Wrapped.leases("loss that is told twice", LeaseFlaws::toldTwice, LEASE_3),
        Wrapped.leases("optimistic remaining time", LeaseFlaws::optimistic, SAFE_8, LEASE_4),
        Wrapped.openings(
            "suspension that goes unnoticed",
            opening -> opening.clock(monotonicOnly(opening.clock())),
            LEASE_5),
        Wrapped.leases("maximum hold that nobody enforces", LeaseFlaws::heldForEver, LEASE_6),
        Control.provider(
            "force that looks like theft", (toy, node, url, context) -> discreet(node), LEASE_7));
  }

  private static LockNode recreating(Toy toy, LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
        return super.extend(requests)
            .thenApply(
                replies -> {
                  List<ExtendReply> changed = new ArrayList<>(replies);
                  for (int i = 0; i < requests.size(); i++) {
                    if (changed.get(i) instanceof NotHeld not
                        && not.cause() == NotHeld.Cause.ABSENT) {
                      changed.set(i, recreated(toy.server(), requests.get(i)));
                    }
                  }
                  return changed;
                });
      }
    };
  }

  private static ExtendReply recreated(ToyServer server, ExtendRequest request) {
    long now = server.nowMicros();
    server.put(
        request.name(), new ToyServer.Entry(request.owner(), now + request.ttlMillis() * 1_000));
    return new Extended(now);
  }

  private static Lease toldTwice(Lease lease) {
    return new ForwardingLease(lease) {
      @Override
      public void onLost(Consumer<? super LeaseLoss> handler) {
        super.onLost(
            loss -> {
              handler.accept(loss);
              handler.accept(loss);
            });
      }
    };
  }

  private static Lease optimistic(Lease lease) {
    return new ForwardingLease(lease) {
      @Override
      public Duration remaining() {
        Duration really = super.remaining();
        return really.isZero() ? really : really.plusMillis(300);
      }
    };
  }

  private static TimeSource monotonicOnly(TimeSource clock) {
    long offset = clock.wallMillis() - clock.monotonicNanos() / 1_000_000;
    return new TimeSource() {
      @Override
      public long monotonicNanos() {
        return clock.monotonicNanos();
      }

      @Override
      public long wallMillis() {
        return clock.monotonicNanos() / 1_000_000 + offset;
      }
    };
  }

  private static Lease heldForEver(Lease lease) {
    AtomicBoolean tooLong = new AtomicBoolean();
    lease.onLost(loss -> tooLong.set(loss.reason() == LossReason.MAX_HOLD));
    return new ForwardingLease(lease) {
      @Override
      public boolean isHeld() {
        boolean held = super.isHeld();
        if (!held) {
          Pause.millis(50); // the loss is told on another thread
        }
        return held || tooLong.get();
      }
    };
  }

  private static LockNode discreet(LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
        return super.extend(requests)
            .thenApply(all -> all.stream().map(r -> r instanceof NotHeld n ? told(n) : r).toList());
      }

      @Override
      public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        return super.release(request).thenApply(r -> r instanceof NotHeld n ? told(n) : r);
      }

      private NotHeld told(NotHeld really) {
        return new NotHeld(NotHeld.Cause.TAKEN, really.serverMicros());
      }
    };
  }
}
