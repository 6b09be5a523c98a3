package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.FENCE_1;
import static io.leasehold.tck.Requirement.FENCE_10;
import static io.leasehold.tck.Requirement.FENCE_11;
import static io.leasehold.tck.Requirement.FENCE_2;
import static io.leasehold.tck.Requirement.FENCE_4;
import static io.leasehold.tck.Requirement.FENCE_5;
import static io.leasehold.tck.Requirement.FENCE_6;
import static io.leasehold.tck.Requirement.FENCE_9;

import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Raised;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.tck.Requirement;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.toy.ToyServer;
import io.leasehold.tck.wire.ForwardingNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Providers whose tokens do not fence. */
final class TokenFlaws {
  private static final Duration RETENTION = Duration.ofMinutes(10);

  private TokenFlaws() {}

  /** The token that is given out instead of the right one. */
  @FunctionalInterface
  private interface Wrong {

    /** The wrong token; called under the server's monitor. */
    long token(GrantRequest request, long fenceBefore, long right, long nowMicros);
  }

  static List<Control> all() {
    return List.of(
        control(
            "token that repeats",
            new EverySecond(),
            FENCE_1,
            FENCE_11,
            FENCE_2,
            FENCE_4,
            FENCE_5,
            FENCE_6,
            FENCE_9),
        control(
            "fence that equals the proposal counts as accepted",
            (request, before, right, now) ->
                before > 0 && before == request.proposal() ? before : right,
            FENCE_1,
            FENCE_5),
        control("proposals are trusted", new Trusting(), FENCE_11, FENCE_2, FENCE_4),
        control(
            "no floor once the fence has expired",
            (request, before, right, now) ->
                before == 0 && request.proposal() > 0 && request.proposal() < right
                    ? request.proposal()
                    : right,
            FENCE_4),
        control(
            "no ceiling for proposals",
            (request, before, right, now) -> Math.max(request.proposal(), right),
            FENCE_6,
            FENCE_10),
        control(
            "proposals are taken that are not positive",
            (request, before, right, now) -> request.proposal() <= 0 ? request.proposal() : right,
            FENCE_10),
        Control.provider(
            "raise is not remembered", (toy, node, url, context) -> forgetful(toy, node), FENCE_2),
        Control.provider(
            "transfer keeps the token",
            (toy, node, url, context) -> keeping(toy, node),
            FENCE_11,
            FENCE_2));
  }

  private static Control control(String name, Wrong wrong, Requirement... fails) {
    return Control.provider(name, (toy, node, url, context) -> giving(toy, node, wrong), fails);
  }

  private static LockNode giving(Toy toy, LockNode node, Wrong wrong) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        ToyServer server = toy.server();
        synchronized (server) {
          long before = server.fence(request.name());
          return super.grant(request)
              .thenApply(
                  reply -> {
                    if (!(reply instanceof Granted granted)) {
                      return reply;
                    }
                    long now = server.nowMicros();
                    long token = wrong.token(request, before, granted.token(), now);
                    if (token != granted.token()) {
                      server.fence(request.name(), token, RETENTION);
                    }
                    return Requests.withToken(granted, token);
                  });
        }
      }
    };
  }

  /** Every second grant of a name has the token of the one before. */
  private static final class EverySecond implements Wrong {
    private final Map<String, Long> last = new HashMap<>();

    @Override
    public long token(GrantRequest request, long before, long right, long now) {
      Long repeated = last.remove(request.name());
      if (repeated == null) {
        last.put(request.name(), right);
        return right;
      }
      return repeated;
    }
  }

  /** Takes a proposal as it is, unless it was used before. */
  private static final class Trusting implements Wrong {
    private final Map<String, Set<Long>> used = new HashMap<>();

    @Override
    public long token(GrantRequest request, long before, long right, long now) {
      Set<Long> tokens = used.computeIfAbsent(request.name(), name -> new HashSet<>());
      long proposal = request.proposal();
      boolean taken =
          proposal > 0 && proposal <= now + ToyServer.REACH_MICROS && tokens.add(proposal);
      long token = taken ? proposal : right;
      while (!taken && !tokens.add(token)) {
        token++;
      }
      return token;
    }
  }

  private static LockNode forgetful(Toy toy, LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<RaiseReply> raise(RaiseRequest request) {
        long before = toy.server().fence(request.name());
        return super.raise(request)
            .thenApply(
                reply -> {
                  if (reply instanceof Raised) {
                    toy.server().fence(request.name(), before, RETENTION);
                  }
                  return reply;
                });
      }
    };
  }

  private static LockNode keeping(Toy toy, LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<TransferReply> transfer(TransferRequest request) {
        long before = toy.server().fence(request.name());
        return super.transfer(request)
            .thenApply(
                reply -> {
                  if (reply instanceof Granted granted) {
                    toy.server().fence(request.name(), before, RETENTION);
                    return Requests.withToken(granted, before);
                  }
                  return reply;
                });
      }
    };
  }
}
