package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.SAFE_1;
import static io.leasehold.tck.Requirement.SAFE_4;
import static io.leasehold.tck.Requirement.SAFE_8;

import io.leasehold.spi.Busy;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Identity;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TimeSource;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.toy.ToyServer;
import io.leasehold.tck.toy.ToyServer.Entry;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Providers that grant what they must not. */
final class ExclusionFlaws {
  private ExclusionFlaws() {}

  static List<Control> all() {
    return List.of(
        Control.provider(
            "check then set", (toy, node, url, context) -> checkThenSet(toy, node), SAFE_1),
        Control.provider(
            "wall clock of the client decides about expiry",
            (toy, node, url, context) -> wallClock(toy, node, context.time()),
            SAFE_8),
        busyByTheClientsClock(),
        Control.provider(
            "replica poses as primary", (toy, node, url, context) -> posing(node), SAFE_4));
  }

  /** Looks whether the lock is free, and takes it, in two steps. */
  private static LockNode checkThenSet(Toy toy, LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        if (toy.server().entry(request.name()) == null) {
          Pause.millis(2);
          toy.server().erase(request.name());
        }
        return super.grant(request);
      }
    };
  }

  /** Stamps a lock with the client's wall clock, and judges others' stamps by it. */
  private static LockNode wallClock(Toy toy, LockNode node, TimeSource time) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        ToyServer server = toy.server();
        long wrong = (time.wallMillis() - System.currentTimeMillis()) * 1_000;
        synchronized (server) {
          if (server.entry(request.name(), server.nowMicros() + wrong) == null) {
            server.erase(request.name());
          }
          return super.grant(request).thenApply(reply -> stamped(server, request, reply, wrong));
        }
      }
    };
  }

  /** Remembers when a lock was to end, and answers Busy until then, by the client's own clock. */
  private static Control busyByTheClientsClock() {
    Map<String, Entry> known = new ConcurrentHashMap<>();
    return Control.provider(
        "busy by the clock of the client",
        (toy, node, url, context) -> remembering(known, node, context.time()),
        SAFE_8);
  }

  private static LockNode remembering(Map<String, Entry> known, LockNode node, TimeSource time) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        Entry entry = known.get(request.name());
        long now = time.wallMillis() * 1_000;
        // With a clock that is right it would decide as the server does.
        boolean wrong = Math.abs(time.wallMillis() - System.currentTimeMillis()) > 1_000;
        if (wrong
            && entry != null
            && !entry.owner().equals(request.owner())
            && entry.endMicros() > now) {
          return CompletableFuture.completedFuture(
              new Busy((entry.endMicros() - now) / 1_000, now));
        }
        return super.grant(request)
            .thenApply(
                reply -> {
                  if (reply instanceof Granted granted) {
                    long end = granted.serverMicros() + request.ttlMillis() * 1_000;
                    known.put(request.name(), new Entry(request.owner(), end));
                  }
                  return reply;
                });
      }

      @Override
      public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        known.remove(request.name());
        return super.release(request);
      }
    };
  }

  private static GrantReply stamped(
      ToyServer server, GrantRequest request, GrantReply reply, long wrong) {
    Entry entry = server.entry(request.name());
    if (reply instanceof Granted && entry != null && wrong != 0) {
      server.put(request.name(), new Entry(entry.owner(), entry.endMicros() + wrong));
    }
    return reply;
  }

  private static LockNode posing(LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<IdentityReply> identity() {
        return super.identity().thenApply(ExclusionFlaws::asPrimary);
      }
    };
  }

  private static IdentityReply asPrimary(IdentityReply reply) {
    return reply instanceof Identity identity
        ? new Identity(identity.serverId(), Identity.Role.PRIMARY, identity.serverMicros())
        : reply;
  }
}
