package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.LEASE_1;
import static io.leasehold.tck.Requirement.LEASE_2;
import static io.leasehold.tck.Requirement.LIVE_A_1;
import static io.leasehold.tck.Requirement.LIVE_A_10;
import static io.leasehold.tck.Requirement.LIVE_A_3;
import static io.leasehold.tck.Requirement.LIVE_A_4;
import static io.leasehold.tck.Requirement.LIVE_A_7;
import static io.leasehold.tck.Requirement.LIVE_A_8;
import static io.leasehold.tck.Requirement.LIVE_B_6;
import static io.leasehold.tck.Requirement.SAFE_5;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.LockNode;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.toy.ToyServer;
import io.leasehold.tck.toy.ToyServer.Entry;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Providers whose locks do not end, and deadlines that do not count. */
final class ExpiryFlaws {
  private ExpiryFlaws() {}

  static List<Control> all() {
    return List.of(
        Control.provider(
            "no expiry",
            (toy, node, url, context) -> noExpiry(toy, node),
            SAFE_5,
            LIVE_A_1,
            LIVE_A_10,
            LIVE_A_3,
            LIVE_A_7,
            LIVE_A_8,
            LIVE_B_6,
            LEASE_1,
            LEASE_2),
        Control.provider(
            "expiry in a second step", (toy, node, url, context) -> twoSteps(toy, node), SAFE_5),
        Control.provider(
            "extension takes the expiry away",
            (toy, node, url, context) -> persisting(toy, node),
            LIVE_A_3),
        Control.provider(
            "deadline of a grant is ignored",
            (toy, node, url, context) -> deadlineIgnored(node),
            LIVE_A_4),
        Control.provider(
            "deadline of a grant is judged before it is sent",
            (toy, node, url, context) -> deadlineJudgedBefore(toy, node),
            LIVE_A_4),
        Control.provider(
            "expired entries are never removed",
            (toy, node, url, context) -> {
              toy.server().stopSweeping();
              return node;
            },
            LIVE_A_10));
  }

  private static LockNode noExpiry(Toy toy, LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        synchronized (toy.server()) {
          return super.grant(request).thenApply(reply -> endless(toy, request, reply));
        }
      }
    };
  }

  private static GrantReply endless(Toy toy, GrantRequest request, GrantReply reply) {
    if (reply instanceof Granted) {
      toy.server().put(request.name(), new Entry(request.owner(), Entry.NEVER));
    }
    return reply;
  }

  private static LockNode twoSteps(Toy toy, LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        return super.grant(request)
            .thenApply(
                reply -> {
                  if (reply instanceof Busy busy && busy.remainingMillis() == Busy.UNKNOWN) {
                    return new Busy(5, busy.serverMicros()); // it is another's second step
                  }
                  Entry entry = toy.server().entry(request.name());
                  int connection = toy.state().connections();
                  endless(toy, request, reply);
                  if (reply instanceof Granted && entry != null) {
                    Pause.millis(3);
                    if (toy.state().connections() == connection) {
                      toy.server().put(request.name(), entry);
                    }
                  }
                  return reply;
                });
      }
    };
  }

  private static LockNode persisting(Toy toy, LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
        synchronized (toy.server()) {
          return super.extend(requests).thenApply(replies -> persisted(toy, requests, replies));
        }
      }
    };
  }

  private static List<ExtendReply> persisted(
      Toy toy, List<ExtendRequest> requests, List<ExtendReply> replies) {
    ToyServer server = toy.server();
    for (int i = 0; i < requests.size(); i++) {
      if (replies.get(i) instanceof Extended) {
        ExtendRequest request = requests.get(i);
        server.put(request.name(), new Entry(request.owner(), Entry.NEVER));
      }
    }
    return replies;
  }

  private static LockNode deadlineJudgedBefore(Toy toy, LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        long now = toy.server().nowMicros();
        return now > request.notAfter()
            ? CompletableFuture.completedFuture(new Expired(now))
            : super.grant(Requests.withoutDeadline(request));
      }
    };
  }

  private static LockNode deadlineIgnored(LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        return super.grant(Requests.withoutDeadline(request));
      }
    };
  }
}
