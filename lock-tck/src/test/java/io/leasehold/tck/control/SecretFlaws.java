package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.SEC_1;
import static io.leasehold.tck.Requirement.SEC_2;
import static io.leasehold.tck.Requirement.SEC_3;

import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Identity;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Secret;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Flaws in keeping secrets, and in trusting. */
final class SecretFlaws {
  private SecretFlaws() {}

  static List<Control> all() {
    return List.of(
        Control.provider(
            "certificate that nobody looks at",
            (toy, node, url, context) -> isFor(url, Toy.IMPOSTOR) ? trusting(toy, node) : node,
            SEC_1),
        Control.provider(
            "permission that is not documented",
            (toy, node, url, context) -> isFor(url, Toy.RESTRICTED) ? greedy(node) : node,
            SEC_2),
        Control.provider(
            "password in the label", (toy, node, url, context) -> indiscreet(node, url), SEC_3),
        Control.provider(
            "owner id in a failure", (toy, node, url, context) -> talkative(node), SEC_3));
  }

  private static boolean isFor(LockUrl url, String host) {
    return url.hosts().get(0).host().equals(host);
  }

  private static LockNode trusting(Toy toy, LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<IdentityReply> identity() {
        return CompletableFuture.completedFuture(
            new Identity("impostor", Identity.Role.PRIMARY, toy.server().nowMicros()));
      }
    };
  }

  private static LockNode greedy(LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
        Failed failed = new Failed(FailureKind.NO_PERMISSION, "not permitted");
        return CompletableFuture.completedFuture(
            requests.stream().<ExtendReply>map(request -> failed).toList());
      }
    };
  }

  private static LockNode indiscreet(LockNode node, LockUrl url) {
    String password = url.password().map(Secret::reveal).orElse("");
    return new ForwardingNode(node) {
      @Override
      public String label() {
        return super.label() + (password.isEmpty() ? "" : " with " + password);
      }
    };
  }

  private static LockNode talkative(LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        return super.grant(request)
            .thenApply(
                reply ->
                    reply instanceof Failed failed
                        ? new Failed(failed.kind(), failed.message() + " to " + request.owner())
                        : reply);
      }
    };
  }
}
