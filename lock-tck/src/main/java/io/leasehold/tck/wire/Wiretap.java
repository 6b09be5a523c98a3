package io.leasehold.tck.wire;

import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Listens, to all kinds of lock, and changes nothing. */
public final class Wiretap implements Tap {
  private final Map<Operation, Integer> counts = new EnumMap<>(Operation.class);
  private final List<GrantRequest> grants = new ArrayList<>();
  private final List<GrantReply> grantReplies = new ArrayList<>();
  private final List<ReleaseRequest> releases = new ArrayList<>();
  private final List<ExtendRequest> extensions = new ArrayList<>();
  private final List<ExtendReply> extendReplies = new ArrayList<>();
  private final List<TransferRequest> transfers = new ArrayList<>();

  @Override
  public LockNode apply(LockNode node) {
    return new Listening(node);
  }

  /** How many requests of a kind were sent; a batch of extensions counts as one. */
  public synchronized int count(Operation operation) {
    return counts.getOrDefault(operation, 0);
  }

  /** The grants that were asked for, in order. */
  public synchronized List<GrantRequest> grants() {
    return List.copyOf(grants);
  }

  /** What was answered to grants, in the order in which the answers came. */
  public synchronized List<GrantReply> grantReplies() {
    return List.copyOf(grantReplies);
  }

  /** The releases, in order. */
  public synchronized List<ReleaseRequest> releases() {
    return List.copyOf(releases);
  }

  /** The single extensions, in order. */
  public synchronized List<ExtendRequest> extensions() {
    return List.copyOf(extensions);
  }

  /** What was answered to extensions, in the order in which the answers came. */
  public synchronized List<ExtendReply> extendReplies() {
    return List.copyOf(extendReplies);
  }

  /** The transfers, in order. */
  public synchronized List<TransferRequest> transfers() {
    return List.copyOf(transfers);
  }

  private synchronized <T> void note(List<T> list, T item) {
    list.add(item);
  }

  private synchronized void count1(Operation operation) {
    counts.merge(operation, 1, Integer::sum);
  }

  private final class Listening extends ForwardingNode {
    Listening(LockNode node) {
      super(node);
    }

    @Override
    protected LockNode around(LockNode view) {
      return new Listening(view);
    }

    @Override
    protected <R> CompletionStage<R> through(
        Operation operation, Supplier<CompletionStage<R>> send, Function<Failed, R> failing) {
      count1(operation);
      return send.get();
    }

    @Override
    public CompletionStage<GrantReply> grant(GrantRequest request) {
      note(grants, request);
      return super.grant(request).thenApply(reply -> noted(grantReplies, reply));
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
      note(releases, request);
      return super.release(request);
    }

    @Override
    public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
      requests.forEach(request -> note(extensions, request));
      return super.extend(requests)
          .thenApply(
              replies -> {
                replies.forEach(reply -> note(extendReplies, reply));
                return replies;
              });
    }

    @Override
    public CompletionStage<TransferReply> transfer(TransferRequest request) {
      note(transfers, request);
      return super.transfer(request);
    }

    private <T> T noted(List<T> list, T item) {
      note(list, item);
      return item;
    }
  }
}
