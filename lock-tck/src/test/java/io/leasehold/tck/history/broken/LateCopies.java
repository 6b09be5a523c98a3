package io.leasehold.tck.history.broken;

import io.leasehold.spi.Failed;
import io.leasehold.spi.LockNode;
import io.leasehold.tck.wire.ForwardingNode;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Tap;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Requests are carried out, and answered, and carried out once more a while later. */
final class LateCopies implements Tap {
  private final Duration delay;
  private final Set<Operation> operations;

  LateCopies(Duration delay, Operation first, Operation... more) {
    this.delay = delay;
    this.operations = EnumSet.of(first, more);
  }

  @Override
  public LockNode apply(LockNode node) {
    return new ForwardingNode(node) {
      @Override
      protected <R> CompletionStage<R> through(
          Operation operation, Supplier<CompletionStage<R>> send, Function<Failed, R> failing) {
        if (operations.contains(operation)) {
          CompletionStage<R> unused =
              CompletableFuture.supplyAsync(
                      send,
                      CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS))
                  .thenCompose(copy -> copy);
        }
        return send.get();
      }
    };
  }
}
