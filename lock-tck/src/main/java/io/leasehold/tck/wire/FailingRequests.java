package io.leasehold.tck.wire;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Requests are not carried out; they fail with a kind of failure. */
public final class FailingRequests extends Meddler {
  private final FailureKind kind;

  /** Fails requests of these kinds. */
  public FailingRequests(FailureKind kind, Operation first, Operation... more) {
    super(first, more);
    this.kind = kind;
  }

  @Override
  <R> CompletionStage<R> meddle(Supplier<CompletionStage<R>> send, Function<Failed, R> failing) {
    return CompletableFuture.completedFuture(
        failing.apply(new Failed(kind, "the kit has let it fail")));
  }
}
