package com.example.locks;

import io.leasehold.spi.Capability;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.WatchReply;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** One client's way to the store. Each method is one question, answered within a bounded time. */
final class MyNode implements LockNode {
  private final MyStore store;
  private final long retentionMillis;
  private volatile boolean closed;

  MyNode(MyStore store, long retentionMillis) {
    this.store = store;
    this.retentionMillis = retentionMillis;
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    return answer(() -> store.grant(request, retentionMillis), failed -> failed);
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return answer(() -> store.raise(request, retentionMillis), failed -> failed);
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return answer(() -> store.release(request), failed -> failed);
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    return answer(
        () -> requests.stream().map(store::extend).toList(),
        failed -> requests.stream().map(request -> (ExtendReply) failed).toList());
  }

  /** Asked only of a node that declares TRANSFER. */
  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return CompletableFuture.completedFuture(undeclared());
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return answer(() -> store.inspect(name), failed -> failed);
  }

  /** Asked only of a node that declares WAKE_UPS; without them the engine asks again by itself. */
  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return CompletableFuture.completedFuture(undeclared());
  }

  @Override
  public CompletionStage<IdentityReply> identity() {
    return answer(store::identity, failed -> failed);
  }

  /** Only what is declared is asked for, and certified. */
  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.FENCING);
  }

  /** True if your methods do their work, such as JDBC, on the calling thread. */
  @Override
  public boolean blocking() {
    return false;
  }

  /** For people; never a password. */
  @Override
  public String label() {
    return "mine://" + store.name();
  }

  @Override
  public void close() {
    closed = true;
  }

  /** Whatever goes wrong is an answer, with its kind: nothing is thrown. */
  private <R> CompletionStage<R> answer(Supplier<? extends R> step, Function<Failed, R> failing) {
    R reply =
        closed
            ? failing.apply(new Failed(FailureKind.CLOSED, "the node has been closed"))
            : step.get();
    return CompletableFuture.completedFuture(reply);
  }

  private static Failed undeclared() {
    return new Failed(FailureKind.OTHER, "not declared among the capabilities");
  }
}
