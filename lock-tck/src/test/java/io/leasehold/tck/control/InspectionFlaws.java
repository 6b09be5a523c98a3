package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.INSP_1;
import static io.leasehold.tck.Requirement.INSP_2;
import static io.leasehold.tck.Requirement.INSP_3;

import io.leasehold.LockListener;
import io.leasehold.LockObserver;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.ListReply;
import io.leasehold.spi.Listed;
import io.leasehold.spi.LockListing;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.TimeSource;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.toy.ToyServer;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** Flaws in looking at locks, and in taking them away. */
final class InspectionFlaws {
  private InspectionFlaws() {}

  static List<Control> all() {
    return List.of(
        Control.provider(
                "inspection that prolongs",
                (toy, node, url, context) -> prolonging(toy, node),
                INSP_1)
            .onlyItsGroups(),
        Control.provider(
                "inspection that overlooks who waits",
                (toy, node, url, context) ->
                    seeing(
                        node,
                        seen ->
                            new Inspection(seen.holders(), seen.fence(), 0, seen.serverMicros())),
                INSP_1)
            .onlyItsGroups(),
        Control.provider(
                "inspection by the clock of the client",
                (toy, node, url, context) ->
                    seeing(node, seen -> remainingBy(context.time(), seen)),
                INSP_1)
            .onlyItsGroups(),
        Control.provider(
                "listing that misses one",
                (toy, node, url, context) -> listing(node, names -> names.subList(1, names.size())),
                INSP_2)
            .onlyItsGroups(),
        Control.provider(
                "listing that takes a pattern for a name",
                (toy, node, url, context) -> verbatim(node),
                INSP_2)
            .onlyItsGroups(),
        Control.provider(
                "force without a reason", (toy, node, url, context) -> discreet(node), INSP_3)
            .onlyItsGroups(),
        Wrapped.openings(
                "force that nobody hears of",
                opening -> opening.eachListener(InspectionFlaws::deaf),
                INSP_3)
            .onlyItsGroups());
  }

  private static LockNode prolonging(Toy toy, LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<InspectReply> inspect(String name) {
        ToyServer server = toy.server();
        synchronized (server) {
          ToyServer.Entry held = server.entry(name);
          // Not what is about to end: whoever waits for an end by looking would never see it.
          if (held != null && held.endMicros() > server.nowMicros() + 150_000) {
            server.put(name, new ToyServer.Entry(held.owner(), held.endMicros() + 30_000));
          }
        }
        return super.inspect(name);
      }
    };
  }

  private static LockNode seeing(LockNode node, UnaryOperator<Inspection> change) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<InspectReply> inspect(String name) {
        return super.inspect(name)
            .thenApply(reply -> reply instanceof Inspection seen ? change.apply(seen) : reply);
      }
    };
  }

  /** Reckons what remains of a lock with the wall clock of the client. */
  private static Inspection remainingBy(TimeSource time, Inspection seen) {
    long wrong = time.wallMillis() - System.currentTimeMillis();
    Optional<Inspection.Holder> holder =
        seen.holder()
            .map(
                held ->
                    new Inspection.Holder(
                        held.owner(), held.remainingMillis() - wrong, held.client()))
            .filter(held -> held.remainingMillis() > 0);
    return new Inspection(holder, seen.fence(), seen.waiters(), seen.serverMicros());
  }

  private static LockNode listing(LockNode node, UnaryOperator<List<String>> change) {
    return offering(
        node,
        listing ->
            (pattern, limit) ->
                listing.list(pattern, limit).thenApply(reply -> changed(reply, change)));
  }

  private static ListReply changed(ListReply reply, UnaryOperator<List<String>> change) {
    return reply instanceof Listed listed && !listed.names().isEmpty()
        ? new Listed(change.apply(listed.names()), listed.complete())
        : reply;
  }

  private static LockNode verbatim(LockNode node) {
    return offering(
        node,
        listing ->
            (pattern, limit) -> listing.list(pattern.replace("\\", "").replace("[", "\\["), limit));
  }

  private static LockNode offering(LockNode node, UnaryOperator<LockListing> change) {
    return new ForwardingNode(node) {
      @Override
      public <C> Optional<C> offer(Class<C> kind) {
        return kind == LockListing.class
            ? super.offer(LockListing.class).map(listing -> kind.cast(change.apply(listing)))
            : super.offer(kind);
      }
    };
  }

  private static LockNode discreet(LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
        return super.extend(requests)
            .thenApply(
                all ->
                    all.stream()
                        .map(
                            reply ->
                                reply instanceof NotHeld not
                                    ? new NotHeld(NotHeld.Cause.TAKEN, not.serverMicros())
                                    : reply)
                        .toList());
      }
    };
  }

  private static LockListener deaf(LockListener listener) {
    return new LockListener() {
      @Override
      public LockObserver start(AcquireCall call) {
        return listener.start(call);
      }
    };
  }
}
