package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.SAFE_11;
import static io.leasehold.tck.Requirement.SAFE_13;

import io.leasehold.spi.Findings;
import io.leasehold.spi.Identity;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockUrl;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Flaws in noticing what weakens a promise. */
final class FindingFlaws {
  private FindingFlaws() {}

  static List<Control> all() {
    return List.of(
        Control.provider(
            "eviction that a guard does not mind",
            (toy, node, url, context) -> mayEvict(url) ? trusting(toy, node) : node,
            SAFE_11),
        Control.provider(
            "eviction that is told to nobody",
            (toy, node, url, context) -> silentAbout(node, Toy.MAY_EVICT),
            SAFE_11),
        Control.guard(
            "leases of others that are told to nobody",
            (toy, node, url, context) -> silentAbout(node, Toy.LONGER_LEASES),
            SAFE_13),
        Control.guard(
            "finding without words",
            (toy, node, url, context) -> telling(node, found -> wordless(found)),
            SAFE_11,
            SAFE_13),
        Control.guard(
            "no findings", (toy, node, url, context) -> tellingNothing(node), SAFE_11, SAFE_13));
  }

  private static boolean mayEvict(LockUrl url) {
    return url.hosts().get(0).host().equals(Toy.EVICTING);
  }

  private static LockNode trusting(Toy toy, LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public CompletionStage<IdentityReply> identity() {
        return CompletableFuture.completedFuture(
            new Identity("evicting", Identity.Role.PRIMARY, toy.server().nowMicros()));
      }
    };
  }

  private static LockNode silentAbout(LockNode node, String id) {
    return telling(node, found -> found.filter(finding -> !finding.id().equals(id)));
  }

  private static Stream<Findings.Finding> wordless(Stream<Findings.Finding> found) {
    return found.map(finding -> new Findings.Finding(finding.id(), ""));
  }

  private static LockNode telling(LockNode node, UnaryOperator<Stream<Findings.Finding>> change) {
    return new ForwardingNode(node) {
      @Override
      public <C> Optional<C> offer(Class<C> kind) {
        if (kind != Findings.class) {
          return super.offer(kind);
        }
        Findings changed =
            () ->
                change
                    .apply(node().offer(Findings.class).orElseThrow().findings().stream())
                    .toList();
        return Optional.of(kind.cast(changed));
      }
    };
  }

  private static LockNode tellingNothing(LockNode node) {
    return new ForwardingNode(node) {
      @Override
      public <C> Optional<C> offer(Class<C> kind) {
        return kind == Findings.class ? Optional.empty() : super.offer(kind);
      }
    };
  }
}
