package io.leasehold.tck.control;

import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A set that keeps what it has while it waits for the rest, and asks in an order of its own: every
 * second client begins at the other end. Who gives up gives all back.
 */
final class Hoard extends ForwardingNode {
  private static final Map<List<String>, AtomicInteger> SETS = new ConcurrentHashMap<>();

  private final LockNode node;
  private final List<String> order;
  private final String keeper = UUID.randomUUID().toString();

  Hoard(LockNode node, LockNode set, List<String> names) {
    super(set);
    this.node = node;
    this.order = new ArrayList<>(names);
    if (SETS.computeIfAbsent(names, n -> new AtomicInteger()).getAndIncrement() % 2 == 1) {
      Collections.reverse(order);
    }
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    if (request.queueing() != Queueing.WAKE) {
      return super.grant(request);
    }
    for (String name : order) {
      GrantReply part = ask(name, request);
      if (!(part instanceof Granted)) {
        return CompletableFuture.completedFuture(part);
      }
    }
    letGo();
    return super.grant(request);
  }

  private GrantReply ask(String name, GrantRequest request) {
    return node.grant(
            new GrantRequest(
                name,
                keeper,
                request.ttlMillis(),
                request.proposal(),
                request.notAfter(),
                request.queueing()))
        .toCompletableFuture()
        .join();
  }

  private void letGo() {
    for (String name : order) {
      node.release(new ReleaseRequest(name, keeper)).toCompletableFuture().join();
    }
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return super.watch(name, wake)
        .thenApply(
            reply ->
                reply instanceof Watching watching
                    ? new Watching(
                        () -> {
                          watching.watch().close();
                          letGo();
                        })
                    : reply);
  }
}
