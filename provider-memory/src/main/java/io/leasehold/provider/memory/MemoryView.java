package io.leasehold.provider.memory;

import io.leasehold.spi.Capability;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** A further kind of lock, as a view of a client's node, with which it ends. */
abstract class MemoryView implements LockNode {
  final MemoryNode node;
  final MemorySpace space;

  MemoryView(MemoryNode node, MemorySpace space) {
    this.node = node;
    this.space = space;
  }

  <R> CompletionStage<R> answer(Supplier<? extends R> step, Function<Failed, R> failing) {
    return node.answer(step, failing);
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return CompletableFuture.completedFuture(
        new Failed(FailureKind.OTHER, "this kind of lock is not handed over"));
  }

  @Override
  public final CompletionStage<IdentityReply> identity() {
    return node.identity();
  }

  @Override
  public final Set<Capability> capabilities() {
    return Set.of(Capability.FENCING, Capability.WAKE_UPS);
  }

  @Override
  public final boolean blocking() {
    return false;
  }

  @Override
  public final String label() {
    return node.label();
  }

  /** Does nothing: a view ends with its node. */
  @Override
  public final void close() {}
}
