package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.MULTI_1;
import static io.leasehold.tck.Requirement.MULTI_2;
import static io.leasehold.tck.Requirement.MULTI_3;
import static io.leasehold.tck.Requirement.MULTI_4;

import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.SeveralLocks;
import io.leasehold.tck.Requirement;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Sets of locks that fall apart. */
final class SetFlaws {
  private SetFlaws() {}

  /** Makes the view of a set. */
  interface Making {
    LockNode of(LockNode node, LockNode set, List<String> names);
  }

  static List<Control> all() {
    return List.of(
        sets("set that keeps its first lock", KeepsTheFirst::new, MULTI_1, MULTI_2),
        sets("locks that are kept while others are awaited", Hoard::new, MULTI_2),
        sets("set that outlives a part", Outliving::new, MULTI_3),
        sets("rest that is not released", LeavesTheRest::new, MULTI_3),
        sets("set with the token that it proposed", (node, set, names) -> proposed(set), MULTI_4));
  }

  private static Control sets(String name, Making making, Requirement... fails) {
    return Control.provider(name, (toy, node, url, context) -> with(node, making), fails)
        .onlyItsGroups();
  }

  private static LockNode with(LockNode node, Making making) {
    return new ForwardingNode(node) {
      private final Map<List<String>, LockNode> made = new ConcurrentHashMap<>();

      @Override
      public <C> Optional<C> offer(Class<C> kind) {
        return kind == SeveralLocks.class
            ? super.offer(SeveralLocks.class).map(sets -> kind.cast(changed(sets)))
            : super.offer(kind);
      }

      private SeveralLocks changed(SeveralLocks sets) {
        return names -> made.computeIfAbsent(names, n -> making.of(node, sets.all(names), names));
      }
    };
  }

  static GrantRequest named(String name, GrantRequest request) {
    return new GrantRequest(
        name,
        request.owner(),
        request.ttlMillis(),
        request.proposal(),
        request.notAfter(),
        request.queueing());
  }

  /** When the second is busy, the first stays. */
  private static final class KeepsTheFirst extends ForwardingNode {
    private final LockNode node;
    private final List<String> names;

    KeepsTheFirst(LockNode node, LockNode set, List<String> names) {
      super(set);
      this.node = node;
      this.names = names;
    }

    @Override
    public CompletionStage<GrantReply> grant(GrantRequest request) {
      return node.grant(named(names.get(0), request))
          .thenCompose(
              reply ->
                  reply instanceof Granted
                      ? super.grant(request)
                          .thenCompose(
                              all ->
                                  all instanceof Granted
                                      ? CompletableFuture.completedFuture(all)
                                      : node.grant(named(names.get(0), request))
                                          .thenApply(first -> all))
                      : CompletableFuture.completedFuture(reply));
    }
  }

  /** What one part says goes for all. */
  private static final class Outliving extends ForwardingNode {
    private final LockNode node;
    private final List<String> names;

    Outliving(LockNode node, LockNode set, List<String> names) {
      super(set);
      this.node = node;
      this.names = names;
    }

    @Override
    public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
      List<ExtendReply> replies = new ArrayList<>();
      for (ExtendRequest request : requests) {
        List<ExtendReply> parts =
            node.extend(
                    names.stream()
                        .map(name -> new ExtendRequest(name, request.owner(), request.ttlMillis()))
                        .toList())
                .toCompletableFuture()
                .join();
        replies.add(
            parts.stream().filter(Extended.class::isInstance).findFirst().orElse(parts.get(0)));
      }
      return CompletableFuture.completedFuture(replies);
    }
  }

  /** Stops releasing at a part that is not held. */
  private static final class LeavesTheRest extends ForwardingNode {
    private final LockNode node;
    private final List<String> names;

    LeavesTheRest(LockNode node, LockNode set, List<String> names) {
      super(set);
      this.node = node;
      this.names = names;
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
      CompletionStage<ReleaseReply> all =
          node.release(new ReleaseRequest(names.get(0), request.owner()));
      for (String name : names.subList(1, names.size())) {
        all =
            all.thenCompose(
                reply ->
                    reply instanceof Released
                        ? node.release(new ReleaseRequest(name, request.owner()))
                        : CompletableFuture.completedFuture(reply));
      }
      return all;
    }
  }

  private static LockNode proposed(LockNode set) {
    return new ForwardingNode(set) {
      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        return super.grant(request)
            .thenApply(
                reply ->
                    reply instanceof Granted granted
                        ? new Granted(
                            Math.min(granted.token(), request.proposal()), granted.serverMicros())
                        : reply);
      }
    };
  }
}
